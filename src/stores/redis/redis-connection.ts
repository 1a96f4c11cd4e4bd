import { inTime } from '../../node/in-time.ts'
import { ownRequire } from '../../node/own-url.ts'
import { runOutside } from '../../run/scope.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** The part of an `ioredis` client that is used here. */
export interface IoredisClient {
  callBuffer(command: string, ...args: (string | Buffer)[]): Promise<unknown>
}

/** The part of a `redis` (node-redis) client that is used here. It has to be connected, or to connect itself. */
export interface NodeRedisClient {
  sendCommand(args: readonly (string | Buffer)[], options?: object): Promise<unknown>
}

/** An argument of a command. */
export type RedisArgument = string | Buffer

/** Sends commands to Redis, outside of every run, and returns bulk strings as bytes. */
export interface RedisConnection {
  /** Sends a command. Rejects if there is no answer in time. */
  send(...command: readonly RedisArgument[]): Promise<unknown>
  /** Closes the connection if the store opened it. */
  close(): void
}

/** A client, with the functions that send a command and close it. */
interface OpenClient {
  /** Why it is not connected, if known. */
  readonly problem?: () => Error | undefined
  readonly send: (command: readonly RedisArgument[]) => Promise<unknown>
  readonly close: () => void
}

/**
 * Connects to Redis when the first command is sent.
 *
 * @param client The user's client, or a URL, for which a client of the installed library is created.
 * @param milliseconds How long an answer may take, including connecting.
 * @param place The URL without credentials, for messages.
 */
export function connectRedis(client: IoredisClient | NodeRedisClient | string, milliseconds: number, place: string): RedisConnection {
  let opened: Promise<OpenClient> | undefined
  /** Fails each command that waits for its answer. */
  const waiting = new Set<(error: Error) => void>()
  const open = (): Promise<OpenClient> => {
    const forget = (): void => {
      if (opened === opening) opened = undefined
    }
    const opening = typeof client === 'string' ? openUrl(client, milliseconds, forget) : Promise.resolve(adapt(client))
    // The library may be missing only for now, for example while it is being installed.
    opening.catch(forget)
    return opening
  }
  const untilClosed = async <Result>(work: Promise<Result>): Promise<Result> => {
    const closed = Promise.withResolvers<never>()
    waiting.add(closed.reject)
    try {
      return await Promise.race([work, closed.promise])
    } finally {
      waiting.delete(closed.reject)
    }
  }
  return {
    send: (...command) =>
      runOutside(async () => {
        let used: OpenClient | undefined
        const answer = async (): Promise<unknown> => {
          used = await (opened ??= open())
          return used.send(command)
        }
        const late = `Redis did not answer within ${milliseconds} ms (${String(command[0])})`
        try {
          return await inTime(untilClosed(answer()), milliseconds, late)
        } catch (error) {
          if ((error as Error | undefined)?.message === late && typeof client === 'string') {
            // A dead connection does not answer later commands either: the next one opens another.
            used?.close()
            opened = undefined
          }
          throw asStorageError(used?.problem?.() ?? error, place)
        }
      }),
    close() {
      void opened?.then(
        ({ close }) => close(),
        () => undefined,
      )
      opened = undefined
      for (const fail of waiting) fail(new Error('the connection was closed'))
    },
  }
}

/** Names the Redis that failed: a client's own error names no server. */
function asStorageError(error: unknown, place: string): GoldenrunError {
  if (GoldenrunError.isInstance(error)) return error
  const reason = (error as Error | undefined)?.message ?? String(error)
  const advice = /WRONGPASS|NOAUTH|NOPERM/.test(reason)
    ? 'Check the user and the password in its URL.'
    : 'Check that the server is running and that the URL is right.'
  return new GoldenrunError('GOLDENRUN_STORAGE', `${place}: ${reason.replace(/\.?$/, '.')} ${advice}`, { cause: error })
}

function adapt(client: IoredisClient | NodeRedisClient): OpenClient {
  if ('callBuffer' in client) {
    return { send: ([name = '', ...args]) => client.callBuffer(String(name), ...args), close: () => undefined }
  }
  return { send: (command) => client.sendCommand(command, { typeMapping: AS_BYTES }), close: () => undefined }
}

/** Redis's type of a bulk string, `$`, as bytes. */
const AS_BYTES = { 36: Buffer }

/**
 * Opens a connection with the installed library. It is not opened again by itself, which would keep the process alive: the next command opens one.
 *
 * @param milliseconds How long connecting may take.
 * @param onEnd Called when the connection has ended.
 * @note The library is required, not imported: a bundler would fail on a program that does not have it.
 */
async function openUrl(url: string, milliseconds: number, onEnd: () => void): Promise<OpenClient> {
  const ioredis = requireInstalled('ioredis') as typeof import('ioredis') | undefined
  if (ioredis !== undefined) {
    const client = new ioredis.Redis(url, { maxRetriesPerRequest: 1, retryStrategy: () => null, connectTimeout: milliseconds })
    let problem: Error | undefined
    client.on('error', (error) => (problem = error))
    client.on('ready', () => (problem = undefined))
    client.on('end', onEnd)
    // An idle connection must not keep the process alive.
    client.on('connect', () => client.stream.unref())
    const close = (): void => {
      client.disconnect()
      // A server that does not answer does not end the connection either.
      client.stream?.destroy()
    }
    return { ...adapt(client), problem: () => problem, close }
  }
  const redis = requireInstalled('redis') as typeof import('redis') | undefined
  if (redis === undefined)
    throw new GoldenrunError(
      'GOLDENRUN_PEER',
      'A store in Redis needs the package ioredis or redis. Install one of them: npm install ioredis',
    )
  const client = redis.createClient({ url, socket: { reconnectStrategy: false, connectTimeout: milliseconds } })
  client.on('error', () => {
    if (!client.isOpen) onEnd()
  })
  client.on('end', onEnd)
  await client.connect()
  client.unref()
  return { ...adapt(client), close: () => client.destroy() }
}

function requireInstalled(name: string): unknown {
  try {
    return ownRequire()(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return undefined
  }
}
