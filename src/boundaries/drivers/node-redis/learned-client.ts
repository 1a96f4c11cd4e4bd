import { realTimers } from '../../../node/real-timers.ts'
import { knownOrMade } from '../../../trace/remember.ts'
import type { ErrorClass } from '../../../run/active-run.ts'
import { runOutside } from '../../../run/scope.ts'
import { isRedisError, redisServer } from '../redis/redis-server.ts'
import { resp } from '../redis/resp.ts'
import { type ServedSocket, serveConnections, type Server } from '../served-connections.ts'
import type { NodeRedisClass, NodeRedisClient } from './node-redis-client.ts'

const learned = new WeakMap<object, LearnedClient>()

/** In milliseconds: a version that works differently may never answer. */
const patience = 500

/** The knowledge of a class of clients. The first time, it has yet to be learned. */
export function learnedClient(Client: NodeRedisClass): LearnedClient {
  return knownOrMade(learned, Client, () => new LearnedClient(Client))
}

/**
 * What a replay has to know of a class of clients. A bundle hides the error classes, so the driver itself makes one error of each class: a
 * client of the class connects to a server in memory, where its commands fail in every possible way.
 */
export class LearnedClient {
  /** The classes of its errors: the parser's class comes first. */
  readonly classes: ErrorClass[] = []
  readonly #messages = new Map<string, ErrorClass>()
  /** Whether the parser returns maps as objects without a prototype. */
  hasBareMaps = false
  isKnown = false
  /** Resolves once everything is known. */
  readonly known: Promise<void>

  constructor(Client: NodeRedisClass) {
    const knows = (): void => void (this.isKnown = true)
    const learning = runOutside(() => serveConnections(serve, () => this.#learn(Client)))
    this.known = Promise.race([learning, untilLost()]).then(knows, knows)
  }

  /** Converts an error revived before its class was known: each of the driver's own has one message, and all others come from Redis. */
  toDriverError(error: Error): Error {
    const own = this.#messages.get(error.message)
    if (own !== undefined) return Object.setPrototypeOf(error, own.prototype as object) as Error
    return isRedisError(error) ? this.toReplyError(error) : error
  }

  /** Converts an error inside a reply to the class that the driver's parser uses. */
  toReplyError(error: Error): Error {
    const [errorClass] = this.classes
    return errorClass === undefined ? error : (Object.setPrototypeOf(error, errorClass.prototype as object) as Error)
  }

  async #learn(Client: NodeRedisClass): Promise<void> {
    const client = open(Client)
    await client.connect()
    // Version 4 has no RESP3.
    const isModern = '_executeMulti' in client
    if (isModern) this.hasBareMaps = Object.getPrototypeOf(await client.sendCommand(['MAP'])) === null
    const failures: readonly (() => Promise<unknown>)[] = [
      () => client.sendCommand(['FAIL']),
      () => client.sendCommand(isModern ? ['FAIL', 'BLOB'] : ['FAIL']),
      // The option's name differs between versions.
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

/** Makes commands wait for their connection: one times out, one waits until the client is closed. */
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

/** Does not keep the process alive. */
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
    // As if a watched key had changed.
    if (name === 'MULTI' || name === 'EXEC') return name === 'EXEC' ? resp.nil() : resp.ok()
    if (name === 'END') socket.end()
    // A client that selects a database waits for the reply.
    return name === 'END' || name === 'SELECT' ? null : undefined
  })
}
