import { isThenable } from '../../../run/is-thenable.ts'
import { currentScope, isAnswered, runBelow, type Scope, scopeBelow } from '../../../run/scope.ts'
import { isFree } from '../../contact/make-contact.ts'
import { combine, isReplacement, type Restore } from '../../patches.ts'
import { hearFailures, ownClient, tellInRun } from '../client-events.ts'
import { connectionOf, startConnecting } from '../connection-of-run.ts'
import { connecting, type MethodCall, outsideOfRuns, replaceMethods } from '../driver-work.ts'
import { inDatabase, opensStream, type RedisCall, redisCall, verbOf } from '../redis/redis-call.ts'
import { makeRedisServer } from '../redis/redis-server.ts'
import { isServedHere } from '../served-connections.ts'
import { answerCommand, type Make, recordCommand } from './make-command.ts'
import type { CommandArguments, CommandOptions, NodeRedisClass, NodeRedisClient } from './node-redis-client.ts'
import { learnedClient } from './learned-client.ts'
import { type TypeMapping, verbatimClassOf } from './verbatim-texts.ts'

/** Opens the methods that all versions have: connecting, notifying listeners, and subscribing. */
export function openConnection(prototype: object): Restore {
  return combine(
    tellInRun(prototype),
    hearFailures(prototype, 'emit'),
    connecting(
      prototype,
      ['connect'],
      () => makeRedisServer,
      hostOf,
      (client) => connectionOf(selfOf(client as NodeRedisClient)),
    ),
    replaceMethods(prototype, ['connect'], connect),
    replaceMethods(prototype, streamMethods, stream),
  )
}

/** The host that a client connects to. */
function hostOf({ options }: NodeRedisClient): string {
  const { path, host = 'localhost', port = 6379 } = options?.socket ?? {}
  return path ?? `${host}:${port}`
}

/** Where a command goes, and the form in which its reply is wanted. */
export interface Place {
  readonly host: string
  readonly database: number
  readonly mapping?: TypeMapping | undefined
  /** Of the command itself. */
  readonly options?: CommandOptions | undefined
}

/** @param options Of the command itself. The client's options are the defaults. */
export function placeOf(client: NodeRedisClient, options?: CommandOptions): Place {
  const mapping = options?.typeMapping ?? client._commandOptions?.typeMapping
  return { host: hostOf(client), database: client.options?.database ?? 0, mapping, options }
}

const streamMethods: readonly string[] = ['SUBSCRIBE', 'UNSUBSCRIBE', 'PSUBSCRIBE', 'PUNSUBSCRIBE', 'SSUBSCRIBE', 'SUNSUBSCRIBE', 'MONITOR']

/** Makes a command, or several as one call, for the run of the calling code or outside of runs. */
export function makeCall(
  Client: NodeRedisClass,
  call: () => RedisCall,
  { host, database, mapping, options }: Place,
  make: Make,
): Promise<unknown> {
  const scope = currentScope()
  if (scope === undefined) {
    // Commands that a client sends while it connects.
    if (isServedHere()) return make()
    return outsideOfRuns('redis', host, make, async (error) => {
      throw error
    })
  }
  const made = inDatabase(call(), scope.run, `${host}/${database}`)
  if (!isAnswered(scope)) return recordCommand(scope, made, make, verbatimClassOf(mapping))
  return answerCommand(scope, made, learnedClient(Client), verbatimClassOf(mapping), options)
}

/** Makes one command. A command that ends a connection is not a step. */
export function makeCommand(Client: NodeRedisClass, args: CommandArguments, place: Place, make: Make): Promise<unknown> {
  // The driver refuses anything that is not a command.
  if (!Array.isArray(args)) return make()
  const [scope, verb] = [currentScope(), verbOf(args)]
  if (scope !== undefined && opensStream(verb)) return passStream(scope, verb, make)
  if (scope !== undefined && verb === 'QUIT') return runBelow(scope, {}, make)
  return makeCall(Client, () => redisCall('redis', args), place, make)
}

/** In a replay, a client counts as connected once the classes of its errors are known. */
function connect({ self, go }: MethodCall): unknown {
  const client = selfOf(self as NodeRedisClient)
  ownClient(client)
  // The driver itself refuses to connect twice.
  if (client.isOpen !== true) startConnecting(client, 'redis connect')
  // A pool's client connects below the run.
  const scope = currentScope() ?? scopeBelow()
  const isReplayed = scope === undefined ? !isFree() && !isServedHere() : scope.run.mode === 'replay'
  const known = isReplayed ? learnedClient(client.constructor).known : undefined
  const connected = go()
  return endsConnecting(client, known === undefined ? connected : Promise.all([connected, known]).then(([result]) => result))
}

/** Ends a client's connection attempt when its promise settles. */
export function endsConnecting(client: object, connected: unknown): unknown {
  const ends = (): void => connectionOf(client)?.ends()
  if (isThenable(connected)) connected.then(ends, ends)
  return connected
}

function selfOf(client: NodeRedisClient): NodeRedisClient {
  return client._self ?? client
}

function stream({ name, go }: MethodCall): unknown {
  const scope = currentScope()
  return scope === undefined ? go() : passStream(scope, name.toLowerCase(), go as Make)
}

const early = new WeakSet<object>()

/** A client made before the doors were open keeps the methods that its class had then. */
export function meetEarly(client: NodeRedisClient): void {
  const self = selfOf(client)
  if (early.has(self)) return
  early.add(self)
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(self))) {
    if (typeof value !== 'function' || !streamMethods.includes(name.toUpperCase()) || isReplacement(value)) continue
    replaceMethods(self, [name], stream)
  }
}

/** Handles a command after which the server sends messages that are not answers. */
function passStream(scope: Scope, verb: string, make: Make): Promise<unknown> {
  if (scope.run.mode === 'replay') return Promise.reject(scope.run.refuseContact(scope.owner, 'redis', verb.toLowerCase()))
  scope.run.note('unrecorded-contact', `redis ${verb.toLowerCase()}`)
  return runBelow(scope, {}, make)
}
