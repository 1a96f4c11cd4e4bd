import { builtins } from '../../node/builtins.ts'
import { hasEnded, processName } from '../../node/process-name.ts'
import { OptionsError } from '../../trace/errors/options-error.ts'
import { maskUrl } from '../mask-url.ts'
import type { RunSummary } from '../run-summary.ts'
import type { Lease, StoredLog, TraceStore } from '../trace-store.ts'
import { connectRedis, type IoredisClient, type NodeRedisClient } from './redis-connection.ts'
import { RedisFinder, toSummary } from './redis-finder.ts'
import { createKeys, toList, toText } from './redis-keys.ts'
import { readEntry, RedisLogs } from './redis-logs.ts'
import { createOutgoing, type Outgoing, RedisOutbox } from './redis-outbox.ts'
import { CLAIM, FLAG, RELEASE, REMOVE, RENEW } from './redis-scripts.ts'
import { RedisWriter } from './redis-writer.ts'

/** The options of a Redis store. One of `url` and `client` is needed. */
export interface RedisStoreOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. The client comes from the installed package, `ioredis` or `redis`. */
  readonly url?: string
  /** A client of `ioredis` or `redis`. A `redis` client has to be connected. The store does not close it. */
  readonly client?: IoredisClient | NodeRedisClient
  /** The prefix of the keys. Default: `goldenrun`. */
  readonly prefix?: string
  /** How long Redis may take to answer, in milliseconds. Default: 5000. */
  readonly answerMilliseconds?: number
  /** How long a finished log may wait while Redis does not accept it, in milliseconds. After that it is lost, and counted. Default: 30000. */
  readonly patienceMilliseconds?: number
  /** The most bytes that may wait. Default: 67108864. */
  readonly memoryBytes?: number
}

/** A finished log that waits to be archived. */
export interface FinishedLog {
  readonly log: StoredLog
  /** Undefined if the recorder provided none. */
  readonly summary: RunSummary | undefined
}

/** A store in Redis. */
export interface RedisStore extends Required<Omit<TraceStore, 'readStep' | 'findAll' | 'findRepeatedEffects' | 'replaceEach' | 'size'>> {
  /**
   * Takes finished logs for archiving: first logs that another archiver took and did not confirm, then new ones. Each log goes to one archiver.
   *
   * @param archiver A name that no other archiver uses at the same time.
   * @param options `limit`: how many logs. `idleMilliseconds`: how long another archiver may be silent before its logs go to this one.
   */
  takeFinished(archiver: string, options: { readonly limit: number; readonly idleMilliseconds: number }): Promise<FinishedLog[]>
  /** Confirms that logs are archived, and removes them from Redis. */
  confirmArchived(ids: readonly string[]): Promise<void>
  /** Closes the connection if the store opened it. Recordings that Redis does not have yet are lost, and reported. */
  close(): void
}

/** The consumer group of archivers. */
const ARCHIVERS = 'archive'

/**
 * Creates a store in Redis, for programs without a persistent disk. Finished logs are in a stream, from which archivers take them. Runs are sent in the
 * background, outside of every run. Needs Redis 6.2 or later, and the package `ioredis` or `redis`.
 *
 * @throws OptionsError for options without a URL or a client.
 *
 * @example
 * const recorder = createRecorder({ store: createRedisStore('redis://localhost:6379') })
 */
export function createRedisStore(given: string | RedisStoreOptions): RedisStore {
  const options: RedisStoreOptions = typeof given === 'string' ? { url: given } : given
  const { url, client = url, prefix = 'goldenrun' } = options
  if (client === undefined) throw new OptionsError('createRedisStore', 'client', 'has to be a client of ioredis or redis; or pass a URL.')
  const place = url === undefined ? `redis:${encodeURIComponent(prefix)}` : maskUrl(url)
  const fileOf = (id: string): string => `${place}#${encodeURIComponent(id)}`
  const connection = connectRedis(client, options.answerMilliseconds ?? 5000, place)
  const keys = createKeys(connection, prefix)
  const limits = { patience: options.patienceMilliseconds ?? 30_000, memory: options.memoryBytes ?? 67_108_864 }
  const outbox = new RedisOutbox(keys, limits)
  const logs = new RedisLogs(keys, fileOf)
  const finder = new RedisFinder(keys)
  /** Runs that are being written. */
  const open = new Map<string, Outgoing>()
  const outgoingOf = (id: string): Outgoing => open.get(id) ?? outbox.of(id) ?? createOutgoing(id)
  const remove = async (ids: readonly string[]): Promise<string[]> => {
    await outbox.settled()
    return ids.length === 0 ? [] : toList(await keys.run(REMOVE, 'logs', ...ids)).map((id) => toText(id) ?? '')
  }
  const abandon = (): void => {
    outbox.abandon()
    connection.close()
  }
  return {
    open({ id }) {
      const outgoing: Outgoing = createOutgoing(id)
      open.set(id, outgoing)
      return new RedisWriter(outbox, outgoing, () => open.delete(id))
    },
    index(summary) {
      const outgoing = outgoingOf(summary.id)
      if (outgoing.wish === 'discard') return
      outgoing.summary = summary
      outbox.add(outgoing)
    },
    locate: fileOf,
    async list(query = {}) {
      await outbox.settled()
      return finder.list(query)
    },
    async read(id) {
      await outbox.settled()
      return logs.read(id)
    },
    async readLog(id) {
      await outbox.settled()
      return logs.readLog(id)
    },
    async find(query) {
      await outbox.settled()
      const found = await finder.find(query)
      return { ...found, runs: found.runs.map((run) => ({ ...run, file: fileOf(run.id) })) }
    },
    async remove(id) {
      return (await remove([id])).length > 0
    },
    removeMany: remove,
    async adopt(log, summary) {
      await outbox.settled()
      await logs.adopt(log, summary)
    },
    async replace(log, summary) {
      await outbox.settled()
      return logs.replace(log, summary)
    },
    async flag(id, reason) {
      await outbox.settled()
      return (await keys.run(FLAG, 'logs', id, JSON.stringify(reason))) === 1
    },
    async lease(name, milliseconds) {
      const key = `lease:${name}` as const
      const holder = `${processName() ?? ''}|${builtins.crypto.randomUUID()}`
      const take = async (): Promise<boolean> =>
        toText(await keys.send('SET', keys.of(key), holder, 'NX', 'PX', String(milliseconds))) === 'OK'
      if (!(await take())) {
        const other = toText(await keys.send('GET', keys.of(key)))
        if (other === undefined || !hasEnded(other.split('|')[0])) return undefined
        await keys.run(RELEASE, key, other)
        if (!(await take())) return undefined
      }
      const lease: Lease = {
        renew: async () => (await keys.run(RENEW, key, holder, String(milliseconds))) === 1,
        release: async () => void (await keys.run(RELEASE, key, holder)),
      }
      return lease
    },
    flush: () => outbox.flush(),
    reports(onFailure) {
      outbox.onFailure = onFailure
    },
    async takeFinished(archiver, { limit, idleMilliseconds }) {
      await outbox.settled()
      const taken = toList(await keys.run(CLAIM, 'logs', ARCHIVERS, archiver, String(limit), String(idleMilliseconds)))
      const entries = taken.map(readEntry)
      const ids = entries.map(({ id }) => id)
      if (ids.length === 0) return []
      const [summaries, flags] = await Promise.all(
        (['summaries', 'flags'] as const).map((name) => keys.send('HMGET', keys.of(name), ...ids)),
      )
      const finished: FinishedLog[] = []
      for (const [index, entry] of entries.entries()) {
        const [summary, flagged] = [summaries, flags].map((answer) => toText(toList(answer)[index]))
        const log = await logs.ofEntry(entry, flagged)
        if (log !== undefined) finished.push({ log, summary: toSummary(summary, flagged) })
      }
      return finished
    },
    async confirmArchived(ids) {
      const entries = toList(ids.length === 0 ? [] : await keys.send('HMGET', keys.of('entries'), ...ids)).flatMap(
        (entry) => toText(entry) ?? [],
      )
      if (entries.length > 0) await keys.send('XACK', keys.of('logs'), ARCHIVERS, ...entries)
      await remove(ids)
    },
    abandon,
    close: abandon,
  }
}
