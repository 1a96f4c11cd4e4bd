import { combine, replaceProperty, type Restore } from '../../patches.ts'
import { type DriverClass, hasOwnMethods } from '../driver.ts'
import { isThenable } from '../../../run/is-thenable.ts'
import { connectionOf, startConnecting } from '../connection-of-run.ts'
import { loadedPrototypes } from '../loaded-prototypes.ts'
import { connecting, ownWork, replaceMethods } from '../driver-work.ts'
import { redisBatchCall } from '../redis/redis-call.ts'
import { makeRedisServer } from '../redis/redis-server.ts'
import { endsConnecting, makeCall, makeCommand, meetEarly, openConnection, placeOf } from './client-doors.ts'
import type { CommandsQueue, NodeRedisClass, NodeRedisClient } from './node-redis-client.ts'

/** The package redis, with @redis/client. */
export const nodeRedisDriver: readonly DriverClass[] = [
  { own: ['sendCommand', '_executeMulti', '_executePipeline', 'createPool', 'legacy'], open: openClient },
  { own: ['execute', 'sendCommand', 'MULTI', 'withTypeMapping', 'destroy'], open: openPool },
  { own: ['connect', 'getSlotMaster', 'getSlotRandomNode', 'nodeClient'], open: connectingSeveral },
  { own: ['commandsExecutor', 'multiExecutor', 'executeIsolated', 'sendCommand'], open: openClientOf4 },
]

function openClient(prototype: object): Restore {
  const client = prototype as NodeRedisClient
  return combine(
    openConnection(prototype),
    ownWork(prototype, ['QUIT', 'close', 'destroy', 'disconnect', 'reset', 'resetIfDirty']),
    replaceProperty(client, 'sendCommand', sendDoor),
    replaceProperty(client, '_executeMulti', batchDoor('MULTI')),
    replaceProperty(client, '_executePipeline', batchDoor('PIPELINE')),
  )
}

/** A pool passes a call to a client that another run may have used: the call still belongs to the run that made it. */
function openPool(prototype: object): Restore {
  return combine(connectingSeveral(prototype), ownWork(prototype, ['execute', 'close', 'destroy']))
}

/** A client that connects several others reports by its promise when they are connected. */
function connectingSeveral(prototype: object): Restore {
  return combine(
    connecting(
      prototype,
      ['connect'],
      () => makeRedisServer,
      () => 'redis cluster',
      connectionOf,
    ),
    replaceMethods(prototype, ['connect'], ({ self, go }) => {
      const connection = startConnecting(self, 'redis connect')
      const connected = go()
      if (isThenable(connected))
        connected.then(
          () => connection?.opens(),
          (error: unknown) => connection?.fails(error),
        )
      return endsConnecting(self, connected)
    }),
  )
}

function sendDoor(original: NodeRedisClient['sendCommand']): NodeRedisClient['sendCommand'] {
  return function sendCommand(this: NodeRedisClient, args, ...rest) {
    meetEarly(this)
    const [options] = rest
    return makeCommand(this.constructor, args, placeOf(this, options), () => Reflect.apply(original, this, [args, ...rest]))
  }
}

/**
 * The commands of a transaction or a pipeline are one step: the driver takes them together and returns their replies together, or the first
 * error of a pipeline.
 */
function batchDoor(verb: string): (original: NodeRedisClient['_executeMulti']) => NodeRedisClient['_executeMulti'] {
  return (original) =>
    function execute(this: NodeRedisClient, commands, ...rest) {
      const call = (): ReturnType<typeof redisBatchCall> =>
        redisBatchCall(
          'redis',
          verb,
          commands.map(({ args }) => args),
        )
      return makeCall(this.constructor, call, placeOf(this), () => Reflect.apply(original, this, [commands, ...rest]))
    }
}

/**
 * A client of node-redis 4 hides the method that sends commands. They are intercepted in its queue, whose class is found unless the package is
 * bundled. If it is, nothing is replaced, and the connection is a contact. Each command is a step, including those of transactions.
 */
function openClientOf4(prototype: object): Restore {
  const loaded = [...loadedPrototypes()]
  const [queue, socket] = [ofQueue, ofSocket].map((own) => loaded.find((each) => hasOwnMethods(each, own)))
  if (queue === undefined || socket === undefined) return () => undefined
  const Client = prototype.constructor as NodeRedisClass
  return combine(
    openConnection(prototype),
    ownWork(prototype, ['QUIT', 'disconnect', 'executeIsolated']),
    ownWork(socket, ['writeCommand', 'cork']),
    replaceProperty(queue as CommandsQueue, 'addCommand', (original) => {
      return function addCommand(this: CommandsQueue, args, ...rest) {
        return makeCommand(Client, args, { host: 'redis', database: 0, options: rest[0] }, () =>
          Reflect.apply(original, this, [args, ...rest]),
        )
      }
    }),
  )
}

const ofQueue = ['addCommand', 'getCommandToSend', 'onReplyChunk', 'flushWaitingForReply']
const ofSocket = ['writeCommand', 'cork', 'disconnect', 'quit']
