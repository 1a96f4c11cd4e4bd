import { currentScope, isAnswered, isRecorded, runBelow, type Scope } from '../../../run/scope.ts'
import { combine, defineOwn, replaceProperty, type Restore } from '../../patches.ts'
import { hearEnds, hearFailures, ownClient, tellInRun } from '../client-events.ts'
import { connectionOf, startConnecting } from '../connection-of-run.ts'
import type { DriverClass } from '../driver.ts'
import { connecting, hearCalls, type MethodCall, outsideOfRuns, ownWork, replaceMethods } from '../driver-work.ts'
import { makeRedisServer } from '../redis/redis-server.ts'
import { isServedHere } from '../served-connections.ts'
import type { IoredisClient, IoredisCommand } from './ioredis-client.ts'
import { toKeptError } from './ioredis-reply.ts'
import { answerCommand, followCommand, isFollowed } from './send-command.ts'

/** The package ioredis: clients of a server, of sentinels, and of a cluster. */
export const ioredisDriver: readonly DriverClass[] = [
  { own: ['sendCommand', 'silentEmit', 'recoverFromFatalError', 'handleReconnection', 'pipeline'], open: openClient },
  { own: ['sendCommand', 'refreshSlotsCache', 'getInfoFromNode', 'delayUntilReady', 'pipeline'], open: openClient },
]

const isConnecting: ReadonlySet<string> = new Set(['connecting', 'connect', 'ready'])

/** The run that made a call that the driver sends later; undefined if it was made outside of runs. */
const claims = new WeakMap<object, Scope | undefined>()

function openClient(prototype: object): Restore {
  const client = prototype as IoredisClient
  return combine(
    hearEnds(prototype),
    tellInRun(prototype),
    // A cluster resolves the names of its nodes before it connects.
    connecting(
      prototype,
      ['connect'],
      (driver) => {
        const { options, isCluster } = driver as IoredisClient
        if (isCluster === true) options.dnsLookup = (_name, callback) => callback(null, '127.0.0.1', 4)
        return makeRedisServer
      },
      hostOf,
      connectionOf,
    ),
    hearCalls(prototype, ['connect'], (driver) => {
      ownClient(driver)
      // The driver itself refuses to connect twice.
      if (!isConnecting.has((driver as IoredisClient).status)) startConnecting(driver, 'ioredis connect')
    }),
    hearFailures(prototype, 'silentEmit', toKeptError),
    ownWork(prototype, ['disconnect', 'delayUntilReady']),
    replaceMethods(prototype, ['monitor'], monitor),
    replaceProperty(client, 'sendCommand', sendDoor),
    replaceProperty(client, 'pipeline', pipelineDoor),
  )
}

function sendDoor(original: IoredisClient['sendCommand']): IoredisClient['sendCommand'] {
  return function sendCommand(this: IoredisClient, command, ...rest) {
    const go = (): unknown => Reflect.apply(original, this, [command, ...rest])
    if (isFollowed(command)) return go()
    const scope = claims.has(command) ? claims.get(command) : currentScope()
    if (scope === undefined || scope.run.closed) return !isServedHere() ? sendOutside(this, command, go) : go()
    return isAnswered(scope) ? answerCommand(scope, this, command) : followCommand(scope, this, command, go)
  }
}

function sendOutside(client: IoredisClient, command: IoredisCommand, go: () => unknown): unknown {
  return outsideOfRuns('redis', hostOf(client), go, (error) => {
    process.nextTick(() => command.reject(error))
    return command.promise
  })
}

/** Automatically pipelined calls are sent together, whichever runs they belong to. */
function pipelineDoor(original: IoredisClient['pipeline']): IoredisClient['pipeline'] {
  return function pipeline(this: IoredisClient, ...args) {
    const made = Reflect.apply(original, this, args)
    if (this.options.enableAutoPipelining === true) {
      const { sendCommand } = made
      defineOwn(made, 'sendCommand', (command: IoredisCommand): unknown => {
        claims.set(command, currentScope())
        return Reflect.apply(sendCommand, made, [command])
      })
    }
    return made
  }
}

/** The server's work for other clients is not an answer to a call. */
function monitor({ args: [callback], go }: MethodCall): unknown {
  const scope = currentScope()
  if (scope === undefined) return go()
  if (isRecorded(scope)) {
    scope.run.note('unrecorded-contact', 'redis monitor')
    return runBelow(scope, {}, go)
  }
  const error = scope.run.refuseContact(scope.owner, 'redis', 'monitor')
  if (typeof callback === 'function') process.nextTick(() => Reflect.apply(callback, undefined, [error]))
  return Promise.reject(error)
}

function hostOf({ options }: IoredisClient): string {
  return options.path ?? `${options.host ?? 'localhost'}:${options.port ?? 6379}`
}
