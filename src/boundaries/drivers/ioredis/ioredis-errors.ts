import { EventEmitter } from 'node:events'
import type { ErrorClass } from '../../../run/active-run.ts'
import { runOutside } from '../../../run/scope.ts'
import { knownOrMade } from '../../../trace/remember.ts'
import { redisServer } from '../redis/redis-server.ts'
import { resp } from '../redis/resp.ts'
import { serveConnections } from '../served-connections.ts'
import type { IoredisClient, QueuedCommand } from './ioredis-client.ts'

/** The errors of a class of clients. */
export interface IoredisErrors {
  /** Their classes. */
  readonly classes: ErrorClass[]
  /** Converts an error inside a reply to the class that the driver's parser uses. */
  readonly inReply: (error: Error) => Error
}

const known = new WeakMap<object, IoredisErrors>()

/**
 * Makes the driver itself create one error of each class, since no module exports them all: a client on a fake connection receives an error,
 * then loses the connection. All of it is synchronous.
 */
export function errorsOf(client: IoredisClient): IoredisErrors {
  const { classes, inReply } = knownOrMade(known, Object.getPrototypeOf(client) as object, noErrors)
  // A cluster has nodes once it connects.
  const node = client.isCluster === true ? client.nodes()[0] : client
  if (classes.length === 0 && node !== undefined) classes.push(...learn(node))
  return { classes, inReply }
}

function noErrors(): IoredisErrors {
  const classes: ErrorClass[] = []
  return { classes, inReply: (error) => toClass(error, classes[0]) }
}

function learn(client: IoredisClient): ErrorClass[] {
  const made: unknown[] = []
  try {
    runOutside(() =>
      serveConnections(
        (served) => redisServer(served),
        () => provoke(client, (error) => made.push(error)),
      ),
    )
  } catch {
    // A version that works differently: its errors stay plain errors.
  }
  return [...new Set(made.filter((error) => error instanceof Error).map(({ constructor }) => constructor as ErrorClass))]
}

/** The parser's error comes first. Source: ioredis 5 and 6, lib/Redis.ts, lib/DataHandler.ts, lib/redis/event_handler.ts. */
function provoke(original: IoredisClient, onError: (error: unknown) => void): void {
  const socket = new FakeSocket()
  const client = original.duplicate({ ...plainOptions, retryStrategy: () => 60_000, Connector: connectorOf(socket) })
  client.on('error', () => undefined)
  client.connect().catch(() => undefined)
  socket.emit('connect')
  client.resetCommandQueue()
  const send = (place?: number): void => void client.commandQueue.push({ command: commandThatFails(onError, place) })
  send()
  socket.emit('data', resp.error('ERR'))
  // A command without its pipeline's first is aborted; any other has no retries left.
  send(1)
  send()
  socket.emit('close')
  client.disconnect()
}

/** Replaces the agent's options that may have effects. */
const plainOptions = {
  lazyConnect: true,
  connectTimeout: 0,
  commandTimeout: undefined,
  socketTimeout: undefined,
  enableReadyCheck: false,
  maxRetriesPerRequest: 0,
  reconnectOnError: null,
  monitor: false,
  username: undefined,
  password: undefined,
  tls: undefined,
  himportFieldsets: undefined,
  scripts: undefined,
} as const

function commandThatFails(onError: (error: unknown) => void, place?: number): QueuedCommand['command'] {
  const command = { name: 'get', args: [], resolve: () => undefined, reject: onError }
  return place === undefined ? command : { ...command, pipelineIndex: place }
}

function connectorOf(socket: FakeSocket): new () => object {
  return class {
    connect(): object {
      // Like a promise that has already resolved.
      return { then: (resolve: (connected: FakeSocket) => void): void => resolve(socket) }
    }

    disconnect(): void {}

    check(): boolean {
      return true
    }
  }
}

/** A connection that accepts everything and sends nothing. */
class FakeSocket extends EventEmitter {
  readonly connecting = true
  readonly destroyed = false
  readonly writable = true

  setNoDelay(): void {}

  setKeepAlive(): void {}

  setTimeout(): void {}

  resume(): void {}

  write(): boolean {
    return true
  }

  end(): void {}

  destroy(): void {}
}

function toClass(error: Error, errorClass: ErrorClass | undefined): Error {
  if (errorClass === undefined) return error
  const prototype = errorClass.prototype as Error
  Object.setPrototypeOf(error, prototype)
  // The class may set its name itself.
  if (Object.getOwnPropertyDescriptor(error, 'name')?.value === prototype.name) Reflect.deleteProperty(error, 'name')
  return error
}
