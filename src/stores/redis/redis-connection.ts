import { ownRequire } from '../../node/own-url.ts'
import { realTimers } from '../../node/real-timers.ts'
import { runOutside } from '../../run/scope.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** A client of `ioredis`, as far as it is used. */
export interface IoredisClient {
  callBuffer(command: string, ...args: (string | Buffer)[]): Promise<unknown>
}

/** A client of `redis` (node-redis), as far as it is used. It has to be connected, or to connect itself. */
export interface NodeRedisClient {
  sendCommand(args: readonly (string | Buffer)[], options?: object): Promise<unknown>
}

/** What a command takes. */
export type RedisArgument = string | Buffer

/** Sends commands to Redis, outside of every run, and gives texts of answers as bytes. */
export interface RedisConnection {
  /** Rejects if there is no answer in time. */
  send(...command: readonly RedisArgument[]): Promise<unknown>
  /** Ends the connection, if it is the store's own. */
  close(): void
}

/** Sends one command, and what ends the client. */
interface OpenClient {
  /** Why it is not connected, if it knows. */
  readonly problem?: () => Error | undefined
  readonly send: (command: readonly RedisArgument[]) => Promise<unknown>
  readonly close: () => void
}

/**
 * Connects with the first command.
 *
 * @param client The user's, or a URL, for which a client is made of the installed library.
 * @param milliseconds How long an answer may take, the connection included.
 * @param place Its URL without credentials, for messages.
 */
export function connectRedis(client: IoredisClient | NodeRedisClient | string, milliseconds: number, place: string): RedisConnection {
  let opened: Promise<OpenClient> | undefined
  const open = (): Promise<OpenClient> => {
    const opening = typeof client === 'string' ? openUrl(client) : Promise.resolve(adapt(client))
    // A library may be missing only for now, as while it is installed.
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

/** Says which Redis failed: what a client throws names a line of its own, and no server. */
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

/** @note Required, not imported: a bundler of a program without them would not find them. */
async function openUrl(url: string): Promise<OpenClient> {
  const ioredis = requireInstalled('ioredis') as typeof import('ioredis') | undefined
  if (ioredis !== undefined) {
    const client = new ioredis.Redis(url, { maxRetriesPerRequest: 1 })
    let problem: Error | undefined
    client.on('error', (error) => (problem = error))
    client.on('ready', () => (problem = undefined))
    // It must not keep a process alive that has nothing more to do.
    client.on('connect', () => client.stream.unref())
    return { ...adapt(client), problem: () => problem, close: () => client.disconnect() }
  }
  const redis = requireInstalled('redis') as typeof import('redis') | undefined
  if (redis === undefined)
    throw new GoldenrunError(
      'GOLDENRUN_PEER',
      'A store in Redis takes the package ioredis or redis. Install one of them: npm install ioredis',
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

async function inTime<Result>(answer: Promise<Result>, milliseconds: number, problem: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      answer,
      new Promise<never>((_resolve, reject) => {
        timer = realTimers.setTimeout(() => reject(new Error(problem)), milliseconds)
      }),
    ])
  } finally {
    realTimers.clearTimeout(timer)
  }
}
