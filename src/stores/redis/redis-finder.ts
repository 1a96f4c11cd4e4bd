import { SampleDraw } from '../draw-sample.ts'
import { isSummary } from '../run-index/read-summary.ts'
import type { RunQuery, RunSummary } from '../run-summary.ts'
import { isFound, termsOfQuery } from '../run-terms.ts'
import type { FoundRuns, ListQuery } from '../trace-store.ts'
import { parseJson } from '../../trace/json.ts'
import { type RedisKeys, toList, toText } from './redis-keys.ts'

/** How many runs are read at once. */
const PAGE = 1000

/** Sorts after every id. */
const LAST = '\u{10ffff}'

/** Lists and finds runs through the sorted sets of their terms. */
export class RedisFinder {
  readonly #keys: RedisKeys

  constructor(keys: RedisKeys) {
    this.#keys = keys
  }

  async list({ prefix = '', newest, limit = Infinity }: ListQuery): Promise<string[]> {
    const ends = prefix === '' ? ['-', '+'] : [`[${prefix}`, `(${prefix}${LAST}`]
    const [from = '', to = ''] = newest === true ? ends.toReversed() : ends
    const ids: string[] = []
    while (ids.length < limit) {
      const page = Math.min(PAGE * 10, limit - ids.length)
      const last = ids.at(-1)
      const some = await this.#range(this.#keys.of('ids'), last === undefined ? from : `(${last}`, to, page, newest)
      ids.push(...some)
      if (some.length < page) break
    }
    return ids
  }

  async find(query: RunQuery): Promise<FoundRuns> {
    const { sample, before, limit = Infinity, ...whole } = query
    if (sample === undefined) {
      const runs: RunSummary[] = []
      if (limit > 0)
        for await (const run of this.#matching(query)) {
          runs.push(run)
          if (runs.length >= limit) break
        }
      return { runs, unreadable: [] }
    }
    const draw = new SampleDraw(sample)
    for await (const run of this.#matching(whole)) draw.add(run)
    return { runs: draw.page(before, limit), unreadable: [] }
  }

  /** Yields the runs that match, the newest first. */
  async *#matching(query: RunQuery): AsyncGenerator<RunSummary> {
    const key = this.#keys.of(`term:${await this.#rarest(termsOfQuery(query))}`)
    // An id begins with the start time of its run.
    const low = query.since === undefined ? '-' : `[${beginningOf(query.since)}`
    let high = query.until === undefined ? '+' : `(${beginningOf(query.until)}`
    if (query.before !== undefined && (high === '+' || `(${query.before}` < high)) high = `(${query.before}`
    const page = Math.min(PAGE, Math.max(query.limit ?? PAGE, 10))
    for (;;) {
      const ids = await this.#range(key, high, low, page, true)
      for (const run of await this.#summaries(ids)) if (isFound(run, query)) yield run
      const last = ids.at(-1)
      if (last === undefined || ids.length < page) return
      high = `(${last}`
    }
  }

  /** Returns the term that the fewest runs have. */
  async #rarest(terms: readonly string[]): Promise<string> {
    if (terms.length < 2) return terms[0] ?? ''
    const counts = await Promise.all(terms.map(async (term) => Number(await this.#keys.send('ZCARD', this.#keys.of(`term:${term}`)))))
    return terms[counts.indexOf(Math.min(...counts))] ?? ''
  }

  async #summaries(ids: readonly string[]): Promise<RunSummary[]> {
    if (ids.length === 0) return []
    const { send } = this.#keys
    const [summaries, flags] = await Promise.all([
      send('HMGET', this.#keys.of('summaries'), ...ids),
      send('HMGET', this.#keys.of('flags'), ...ids),
    ])
    const reasons = toList(flags)
    return toList(summaries).flatMap((text, index) => toSummary(toText(text), toText(reasons[index])) ?? [])
  }

  async #range(key: string, from: string, to: string, count: number, isDown: boolean = false): Promise<string[]> {
    const order = isDown ? ['REV'] : []
    const answer = await this.#keys.send('ZRANGE', key, from, to, 'BYLEX', ...order, 'LIMIT', '0', String(count))
    return toList(answer).map((text) => toText(text) ?? '')
  }
}

/** Parses a summary and adds the users' flags; undefined for one that was removed in the meantime or is from a newer release. */
export function toSummary(text: string | undefined, flags: string | undefined): RunSummary | undefined {
  const summary = text === undefined ? undefined : parseJson(text)
  if (!isSummary(summary)) return undefined
  return { ...(summary as RunSummary), flags: [...(summary as RunSummary).flags, ...readFlags(flags)] }
}

/** Parses the reasons why users flagged a run. */
export function readFlags(text: string | undefined): string[] {
  const flags = text === undefined ? [] : parseJson(text)
  return Array.isArray(flags) ? flags.map(String) : []
}

/** Returns the beginning of the ids of runs that started at a time. */
function beginningOf(time: string): string {
  const text = new Date(time).toISOString()
  return `${text.slice(0, 10).replaceAll('-', '')}-${text.slice(11, 23).replaceAll(/[:.]/g, '')}`
}
