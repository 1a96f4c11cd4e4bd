import { combine, replaceProperty, type Restore } from '../../patches.ts'
import { hasOwnMethods } from '../driver.ts'
import { loadedPrototypes } from '../loaded-prototypes.ts'
import { ownWork } from '../own-work.ts'
import { makeCommand, openConnection } from './client-doors.ts'
import type { CommandsQueue, NodeRedisClass } from './node-redis-client.ts'

/**
 * A client of node-redis 4 keeps the method to itself by which it sends commands. They are met where it puts them: in a queue, whose class is found
 * where the package is not bundled. Otherwise nothing is replaced, and its connection is a contact. Each command is a step, those of transactions too.
 */
export function openClientOf4(prototype: object): Restore {
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
