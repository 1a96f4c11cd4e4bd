import { inSlices } from '../../node/in-slices.ts'
import { isLog, readingLog } from '../event-log/read-log.ts'
import type { RunSummary } from '../run-summary.ts'
import { joinPieces, toStoredLog } from '../stored-log.ts'
import type { StoredLog, StoredTrace } from '../trace-store.ts'
import type { RedisConnection } from './redis-connection.ts'
import { readFlags } from './redis-finder.ts'
import { type RedisKeys, runScript, toBytes, toList, toText } from './redis-keys.ts'
import { LONGEST_PIECE, termsIn } from './redis-outbox.ts'
import { FINISH, PUSH } from './redis-scripts.ts'

/** Reads and adopts logs. */
export class RedisLogs {
  readonly #connection: RedisConnection
  readonly #keys: RedisKeys
  readonly #fileOf: (id: string) => string

  /** @param fileOf Returns the name of a recording in messages. */
  constructor(connection: RedisConnection, keys: RedisKeys, fileOf: (id: string) => string) {
    this.#connection = connection
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
    const { send } = this.#connection
    const [entry, flags] = await Promise.all([send('HGET', this.#keys('entries'), id), send('HGET', this.#keys('flags'), id)])
    const at = toText(entry)
    if (at === undefined) return this.#inPieces(id, toText(flags))
    const [found] = toList(await send('XRANGE', this.#keys('logs'), at, at))
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
    if ((await this.#connection.send('HEXISTS', this.#keys('entries'), id)) === 1) return
    // The users' flags are stored separately from the summary.
    const own = { ...summary, flags: summary.flags.slice(0, summary.flags.length - flags.length), bytes: log.size }
    const args = [id, JSON.stringify(own), JSON.stringify(termsIn(own))]
    const flagged = flags.length === 0 ? '' : JSON.stringify(flags)
    if (log.size <= LONGEST_PIECE) {
      const bytes = await log.bytes()
      checkSize(log, bytes.length)
      await this.#script(FINISH, ...args, '0', Buffer.from(bytes), flagged)
      return
    }
    let [pieces, size] = [0, 0]
    for await (const piece of inPieces(log.stream())) {
      await this.#script(PUSH, id, String(pieces), piece)
      pieces += 1
      size += piece.length
    }
    checkSize(log, size)
    await this.#script(FINISH, ...args, String(pieces), '', flagged)
  }

  async #inPieces(id: string, flags: string | undefined): Promise<StoredLog | undefined> {
    const { send } = this.#connection
    const key = this.#keys(`pieces:${id}`)
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
    const size = Number(await runScript(this.#connection, SIZE, key, String(count)))
    return { ...about, size, bytes: () => joinPieces(stream()), stream }
  }

  async #script(script: string, ...args: readonly (string | Buffer)[]): Promise<void> {
    await runScript(this.#connection, script, this.#keys('logs'), ...args)
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

function checkSize(log: StoredLog, size: number): void {
  if (size !== log.size) throw new Error(`The log of ${log.file} is incomplete: ${size} of ${log.size} bytes arrived.`)
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
