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
  const open = (): Promise<OpenClient> => {
    const opening = typeof client === 'string' ? openUrl(client) : Promise.resolve(adapt(client))
    // The library may be missing only for now, for example while it is being installed.
    opening.catch(() => (opened = undefined))
    return opening
  }
  return {
    send: (...command) =>
      runOutside(async () => {
        let used: OpenClient | undefined
        const answer = async (): Promise<unknown> => {
          used = await (opened ??= open())
          return used.send(command)
        }
        try {
          return await inTime(answer(), milliseconds, `Redis did not answer within ${milliseconds} ms (${String(command[0])})`)
        } catch (error) {
          throw asStorageError(used?.problem?.() ?? error, place)
        }
      }),
    close() {
      void opened?.then(
        ({ close }) => close(),
        () => undefined,
      )
      opened = undefined
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

/** Loads the installed library. @note Required, not imported: a bundler would fail on a program that does not have the libraries. */
async function openUrl(url: string): Promise<OpenClient> {
  const ioredis = requireInstalled('ioredis') as typeof import('ioredis') | undefined
  if (ioredis !== undefined) {
    const client = new ioredis.Redis(url, { maxRetriesPerRequest: 1 })
    let problem: Error | undefined
    client.on('error', (error) => (problem = error))
    client.on('ready', () => (problem = undefined))
    // An idle connection must not keep the process alive.
    client.on('connect', () => client.stream.unref())
    return { ...adapt(client), problem: () => problem, close: () => client.disconnect() }
  }
  const redis = requireInstalled('redis') as typeof import('redis') | undefined
  if (redis === undefined)
    throw new GoldenrunError(
      'GOLDENRUN_PEER',
      'A store in Redis needs the package ioredis or redis. Install one of them: npm install ioredis',
    )
  const client = redis.createClient({ url })
  client.on('error', () => undefined)
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
