import { inSlices } from '../../node/in-slices.ts'
import { isLog, readingLog } from '../event-log/read-log.ts'
import type { RunSummary } from '../run-summary.ts'
import { joinPieces, toStoredLog, wholeOf } from '../stored-log.ts'
import type { StoredLog, StoredTrace } from '../trace-store.ts'
import { readFlags } from './redis-finder.ts'
import { type RedisKeys, toBytes, toList, toText } from './redis-keys.ts'
import { LONGEST_PIECE, termsIn } from './redis-outbox.ts'
import { FINISH, PUSH, REPLACE } from './redis-scripts.ts'

/** Reads and adopts logs. */
export class RedisLogs {
  readonly #keys: RedisKeys
  readonly #fileOf: (id: string) => string

  /** @param fileOf Returns the name of a recording in messages. */
  constructor(keys: RedisKeys, fileOf: (id: string) => string) {
    this.#keys = keys
    this.#fileOf = fileOf
  }

  async read(id: string): Promise<StoredTrace | undefined> {
    const log = await this.readLog(id)
    if (log === undefined) return undefined
    const { file, flags } = log
    const bytes = await log.bytes()
    const text = isLog(bytes) ? await inSlices(readingLog(bytes, file)) : Buffer.from(bytes).toString('utf8')
    return { file, text, ...(flags === undefined ? {} : { flags }) }
  }

  async readLog(id: string): Promise<StoredLog | undefined> {
    const { send } = this.#keys
    const [entry, flags] = await Promise.all([send('HGET', this.#keys.of('entries'), id), send('HGET', this.#keys.of('flags'), id)])
    const at = toText(entry)
    if (at === undefined) return this.#inPieces(id, toText(flags))
    const [found] = toList(await send('XRANGE', this.#keys.of('logs'), at, at))
    return found === undefined ? undefined : this.ofEntry(readEntry(found), toText(flags))
  }

  /** Returns the log of an entry of the stream. @param flags The flags of its run, as stored in Redis. */
  async ofEntry({ id, log }: FinishedEntry, flags: string | undefined): Promise<StoredLog | undefined> {
    return log === undefined ? this.#inPieces(id, flags) : toStoredLog(log, this.#aboutOf(id, flags))
  }

  #aboutOf(id: string, text: string | undefined): Pick<StoredLog, 'id' | 'file' | 'flags'> {
    const flags = readFlags(text)
    return { id, file: this.#fileOf(id), ...(flags.length === 0 ? {} : { flags }) }
  }

  async adopt(log: StoredLog, summary: RunSummary): Promise<void> {
    const { id, flags = [] } = log
    if ((await this.#keys.send('HEXISTS', this.#keys.of('entries'), id)) === 1) return
    // The users' flags are stored separately from the summary.
    const own = { ...summary, flags: summary.flags.slice(0, summary.flags.length - flags.length), bytes: log.size }
    const args = [id, JSON.stringify(own), JSON.stringify(termsIn(own))]
    const flagged = flags.length === 0 ? '' : JSON.stringify(flags)
    if (log.size <= LONGEST_PIECE) return void (await this.#keys.run(FINISH, 'logs', ...args, '0', await joinPieces(wholeOf(log)), flagged))
    let pieces = 0
    for await (const piece of inPieces(wholeOf(log))) {
      await this.#keys.run(PUSH, 'logs', id, String(pieces), piece)
      pieces += 1
    }
    await this.#keys.run(FINISH, 'logs', ...args, String(pieces), '', flagged)
  }

  /** Resolves to whether there was such a log. */
  async replace(log: StoredLog, summary: RunSummary): Promise<boolean> {
    const own = { ...summary, bytes: log.size }
    const args = [log.id, JSON.stringify(own), JSON.stringify(termsIn(own))]
    const key = this.#keys.of(`pieces:${log.id}~new`)
    // A killed process may have left some.
    await this.#keys.send('DEL', key)
    if (log.size <= LONGEST_PIECE) return (await this.#keys.run(REPLACE, 'logs', ...args, '0', await joinPieces(wholeOf(log)))) === 1
    let pieces = 0
    for await (const piece of inPieces(wholeOf(log))) {
      await this.#keys.send('RPUSH', key, piece)
      pieces += 1
    }
    return (await this.#keys.run(REPLACE, 'logs', ...args, String(pieces), '')) === 1
  }

  async #inPieces(id: string, flags: string | undefined): Promise<StoredLog | undefined> {
    const { send } = this.#keys
    const key = this.#keys.of(`pieces:${id}`)
    const about = this.#aboutOf(id, flags)
    const count = Number(await send('LLEN', key))
    if (count === 0) return undefined
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (let index = 0; index < count; index += 1) {
        const piece = toBytes(await send('LINDEX', key, String(index)))
        if (piece === undefined) throw new Error(`A piece of the log of ${about.file} is missing: it was removed while it was being read.`)
        yield piece
      }
    }
    const size = Number(await this.#keys.run(SIZE, `pieces:${id}`, String(count)))
    return { ...about, size, bytes: () => joinPieces(stream()), stream }
  }
}

/** Argument: the number of pieces. */
const SIZE = `
local size = 0
for index = 0, tonumber(ARGV[1]) - 1 do size = size + #redis.call('LINDEX', KEYS[1], index) end
return size`

/** A finished log in the stream. */
export interface FinishedEntry {
  readonly entry: string
  readonly id: string
  /** Undefined if the log is in pieces. */
  readonly log: Buffer | undefined
}

/** Parses an entry as Redis returns it: `[entry, [name, value, …]]`. */
export function readEntry(answer: unknown): FinishedEntry {
  const [entry, fields] = toList(answer)
  const pairs = toList(fields)
  const valueOf = (name: string): unknown => {
    const at = pairs.findIndex((field, index) => index % 2 === 0 && toText(field) === name)
    return at === -1 ? undefined : pairs[at + 1]
  }
  return {
    entry: toText(entry) ?? '',
    id: toText(valueOf('id')) ?? '',
    log: toBytes(valueOf('log')),
  }
}

/** Joins a stream into pieces that are long enough to be stored one by one. */
async function* inPieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let some: Uint8Array[] = []
  let size = 0
  for await (const bytes of stream) {
    some.push(bytes)
    size += bytes.length
    if (size < LONGEST_PIECE) continue
    yield Buffer.concat(some)
    some = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(some)
}
