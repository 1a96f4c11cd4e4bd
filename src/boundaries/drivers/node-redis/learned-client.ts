import { realTimers } from '../../../node/real-timers.ts'
import { knownOrMade } from '../../../node/remember.ts'
import type { ErrorClass } from '../../../run/active-run.ts'
import { runOutside } from '../../../run/scope.ts'
import { isRedisError, redisServer } from '../redis/redis-server.ts'
import { resp } from '../redis/resp.ts'
import { type ServedSocket, serveConnections, type Server } from '../served-connections.ts'
import type { NodeRedisClass, NodeRedisClient } from './node-redis-client.ts'

const learned = new WeakMap<object, LearnedClient>()

/** In milliseconds. A version that works differently is not waited for. */
const patience = 500

/** What is known of a class of clients. The first time, it is yet to be found out. */
export function learnedClient(Client: NodeRedisClass): LearnedClient {
  return knownOrMade(learned, Client, () => new LearnedClient(Client))
}

/**
 * What a replay has to know of a class of clients. Since in a bundle the classes of errors are out of reach, the driver itself makes one error of each: a
 * client of the class is connected to a server in memory, where its commands fail in all ways that there are.
 */
export class LearnedClient {
  /** The classes of its errors: the one of the parser comes first. */
  readonly classes: ErrorClass[] = []
  readonly #messages = new Map<string, ErrorClass>()
  /** Whether the parser gives maps as objects without a prototype. */
  hasBareMaps = false
  isKnown = false
  /** All of it is known. */
  readonly known: Promise<void>

  constructor(Client: NodeRedisClass) {
    const knows = (): void => void (this.isKnown = true)
    const learning = runOutside(() => serveConnections(serve, () => this.#learn(Client)))
    this.known = Promise.race([learning, untilLost()]).then(knows, knows)
  }

  /** An error that was revived before its class was known: the driver's own say one thing each, and all others come from Redis. */
  toDriverError(error: Error): Error {
    const own = this.#messages.get(error.message)
    if (own !== undefined) return Object.setPrototypeOf(error, own.prototype as object) as Error
    return isRedisError(error) ? this.toReplyError(error) : error
  }

  /** An error that stands in a reply, as one of the class that the driver's parser makes. */
  toReplyError(error: Error): Error {
    const [errorClass] = this.classes
    return errorClass === undefined ? error : (Object.setPrototypeOf(error, errorClass.prototype as object) as Error)
  }

  async #learn(Client: NodeRedisClass): Promise<void> {
    const client = open(Client)
    await client.connect()
    // Version 4 knows no RESP3.
    const isModern = '_executeMulti' in client
    if (isModern) this.hasBareMaps = Object.getPrototypeOf(await client.sendCommand(['MAP'])) === null
    const failures: readonly (() => Promise<unknown>)[] = [
      () => client.sendCommand(['FAIL']),
      () => client.sendCommand(isModern ? ['FAIL', 'BLOB'] : ['FAIL']),
      // The name of the option differs.
      () => client.sendCommand(['PING'], { abortSignal: AbortSignal.abort(), signal: AbortSignal.abort() }),
      () => client.multi().addCommand(['PING']).exec(),
      () => client.sendCommand(['END']),
      () => client.sendCommand(['PING']),
      () => leaveUnsent(Client),
    ]
    for (const fail of failures) {
      for (const { message, constructor } of await failuresOf(fail)) {
        const errorClass = constructor as ErrorClass
        if (!this.classes.includes(errorClass)) this.classes.push(errorClass)
        this.#messages.set(message, errorClass)
      }
    }
  }
}

/** A command that waits for its connection, for too long or until the client is closed. */
async function leaveUnsent(Client: NodeRedisClass): Promise<never> {
  const client = open(Client, { database: 1 })
  client.connect().catch(() => undefined)
  const unsent = [client.sendCommand(['PING']), client.sendCommand(['PING'], { timeout: 1 })]
  const settled = Promise.allSettled(unsent)
  await wait(5)
  if (client.destroy === undefined) await client.disconnect()
  else client.destroy()
  const results = await settled
  throw new AggregateError(results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : undefined)))
}

/** Does not keep the process. */
function untilLost(): Promise<void> {
  return new Promise((resolve) => void realTimers.setTimeout(resolve, patience).unref())
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void realTimers.setTimeout(resolve, milliseconds))
}

async function failuresOf(fail: () => Promise<unknown>): Promise<Error[]> {
  try {
    await fail()
    return []
  } catch (error) {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
    return errors.filter((each) => each instanceof Error)
  }
}

function open(Client: NodeRedisClass, options: object = {}): NodeRedisClient {
  const client = new Client({
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false },
    ...options,
  })
  return client.on('error', () => undefined)
}

function serve(socket: ServedSocket): Server {
  return redisServer(socket, ([name, part]) => {
    if (name === 'MAP') return resp.map([['key', resp.ok()]], 3)
    if (name === 'FAIL') return part === 'BLOB' ? resp.blobError('ERR') : resp.error('ERR')
    // Somebody has changed what was watched.
    if (name === 'MULTI' || name === 'EXEC') return name === 'EXEC' ? resp.nil() : resp.ok()
    if (name === 'END') socket.end()
    // A client that selects a database waits for it.
    return name === 'END' || name === 'SELECT' ? null : undefined
  })
}
