import { fromRecorded, toRecorded } from '../../trace/values.ts'
import type { Json } from '../../trace/json.ts'
import type { Trace } from '../../trace/trace.ts'
import type { StandInSecrets } from './kept-secrets.ts'

/** Returns a trace with the secrets in place of their stand-ins, for a person to read. It is never replayed or written. */
export function revealTrace(trace: Trace, secrets: StandInSecrets): Trace {
  const reveal = createReveal(secrets)
  // Values are converted one by one, because each has a size limit.
  const revealed = <Value>(value: Value): Value => fromRecorded(revealJson(toRecorded(value), reveal)) as Value
  return {
    ...trace,
    header: revealed(trace.header),
    rows: trace.rows.map(revealed),
    steps: trace.steps.map(revealed),
    checkpoints: trace.checkpoints.map(revealed),
    ...(trace.end === undefined ? {} : { end: revealed(trace.end) }),
  }
}

/** Returns a function that replaces the stand-ins in a text with their secrets. */
export function createReveal(secrets: StandInSecrets): (text: string) => string {
  const known = new Map(secrets)
  if (known.size === 0) return (text) => text
  const written = [...known.keys()].toSorted((a, b) => b.length - a.length).map(toPattern)
  const pattern = new RegExp(written.join('|'), 'g')
  return (text) => text.replaceAll(pattern, (standIn) => known.get(standIn) ?? standIn)
}

/** Matches a stand-in as a whole: with a further digit, or as a part of a longer address, it would be a different one. */
function toPattern(standIn: string): string {
  const escaped = standIn.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
  if (/@|%40|u0040/.test(standIn)) return String.raw`(?<!(?<!\\|\\u[\da-f]{3}|%[\dA-F])[\w+-]|\w\.)${escaped}(?![\w-])`
  return `${/^\d/.test(standIn) ? String.raw`(?<!\d)` : ''}${escaped}${/\d$/.test(standIn) ? String.raw`(?!\d)` : ''}`
}

function revealJson(value: Json, reveal: (text: string) => string): Json {
  if (typeof value === 'string') return reveal(value)
  if (typeof value === 'number') return revealNumber(value, reveal)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => revealJson(item as Json, reveal))
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [reveal(name), revealJson(field, reveal)]))
}

/** Reveals a number: numbers that a path names have numbers as stand-ins. */
function revealNumber(value: number, reveal: (text: string) => string): number {
  const text = String(value)
  const revealed = reveal(text)
  return revealed === text ? value : Number(revealed)
}
