import type { WorldLog } from '../world/world-log.ts'

const DAY_MS = 86_400_000

/** A time further from the run than this is not a time that the run read. */
const NEAR_MS = 400 * DAY_MS

/** Formats of a time that agents write, with their precision. The finest is first. */
const FORMS: readonly (readonly [form: string, pattern: RegExp, precisionMs: number])[] = [
  ['iso', /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 1],
  ['text', /[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d GMT[+-]\d{4} \([^)]*\)/g, 1000],
  ['utc', /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, 1000],
  ['day', /\b\d{4}-\d\d-\d\d\b/g, DAY_MS],
  ['day in words', /[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4}/g, DAY_MS],
  ['ms', /\b1\d{12}\b/g, 1],
]

/**
 * Replaces the times near the run in a number or text by names: the format and unit, the distance from the world's own clock in minutes, and
 * the number of calls in progress or done by then. Undefined if there are none.
 */
export function nameTimes(leaf: string | number, log: WorldLog, at: number): string | undefined {
  if (typeof leaf === 'number') return nameNumber(leaf, log, at)
  let text = leaf
  for (const [form, pattern, precision] of FORMS)
    text = text.replaceAll(pattern, (found) => {
      const time = form === 'ms' ? Number(found) : Date.parse(/\d\d:\d\d|^\d{4}-/.test(found) ? found : `${found} UTC`)
      return isNear(time, at) ? nameTime(form, time, precision, log, at) : found
    })
  return text === leaf ? undefined : JSON.stringify(text)
}

function nameNumber(value: number, log: WorldLog, at: number): string | undefined {
  if (!Number.isFinite(value)) return undefined
  if (isNear(value, at)) return nameTime(Number.isInteger(value) ? 'ms' : 'fractions', value, 1, log, at)
  if (isNear(value * 1000, at)) return nameTime(Number.isInteger(value) ? 's' : 's with fractions', value * 1000, 1000, log, at)
  return undefined
}

function isNear(time: number, at: number): boolean {
  return Math.abs(time - at) < NEAR_MS
}

function nameTime(form: string, time: number, precision: number, log: WorldLog, at: number): string {
  if (precision >= DAY_MS) return `<${form} ${Math.floor(time / DAY_MS) - Math.floor(at / DAY_MS)} days from the day>`
  const minutes = Math.round((time - at) / 60_000) + 0
  if (precision > 1) return `<${form} ${minutes} minutes from then>`
  return `<${form} ${minutes} minutes from then, after ${callsBefore(time - minutes * 60_000, log)} calls>`
}

/** Counts the calls whose midpoint is before a time: an agent reads its clock between calls, never in the middle of one that it waits for. */
function callsBefore(time: number, { calls }: WorldLog): number {
  return calls.filter(({ madeAt, settledAt = Infinity }) => (madeAt + settledAt) / 2 < time).length
}
