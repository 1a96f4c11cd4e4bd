import { runOutside } from '../run/scope.ts'
import { dateForms } from './date-forms.ts'
import { datesIn, textBetween, type WrittenDate } from './dates.ts'
import type { FieldDifference } from './divergence.ts'

/** A module is loaded up to this long before the thread that replays began, in milliseconds: by the runner that started it. */
const before = 3_600_000

/** What a clock says between two times. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
  /** In which days are told. */
  readonly zones: readonly string[]
}

/**
 * Says of each field in which nothing but dates differ, and those of this replay are of the real now, that it comes from the environment: a
 * module took the date when it was loaded, before any run, so that a replay cannot give it the recorded one.
 *
 * @param processZone Gives the time zone of the process, where no replay has put it in another.
 * @param own When the recorded run read the clock: what it says then is the run's own, in whatever form. Undefined where it did not.
 */
export function nameModuleDates(
  differences: readonly FieldDifference[],
  processZone: () => string,
  own: TimeSpan | undefined,
): FieldDifference[] {
  if (differences.length === 0) return []
  const now = runOutside(() => Date.now())
  const real = { from: runOutside(() => performance.timeOrigin) - before, to: now, zones: ['UTC', processZone()] }
  return differences.map((difference) => (isModuleDate(difference, real, own) ? { ...difference, part: 'environment' } : difference))
}

function isModuleDate({ expected, received }: FieldDifference, real: TimeSpan, own: TimeSpan | undefined): boolean {
  if (expected === undefined || received === undefined || dateForms(expected, received).length > 0) return false
  const [recordedText, liveText] = [textOf(expected), textOf(received)]
  const [recorded, live] = [datesIn(recordedText), datesIn(liveText)]
  const [recordedRest, liveRest] = [textBetween(recordedText, recorded), textBetween(liveText, live)]
  if (live.length === 0 || recorded.length !== live.length || recordedRest.join('\0') !== liveRest.join('\0')) return false
  const isAnother = live.map((date, index) => written(liveText, date) !== written(recordedText, recorded[index]))
  return live.every((date, index) => !isAnother[index] || (isIn(real, date) && (own === undefined || !isIn(own, date))))
}

function isIn({ from, to, zones }: TimeSpan, { time, hasTime }: WrittenDate): boolean {
  if (hasTime) return time >= cutAs(time, from) && time <= to
  const day = new Date(time).toISOString().slice(0, 10)
  const days = zones.flatMap((timeZone) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    return [from, to].map((at) => format.format(at))
  })
  return days.includes(day)
}

/** A text may be cut to the second or the minute. */
function cutAs(time: number, other: number): number {
  const unit = [60_000, 1000].find((each) => time % each === 0) ?? 1
  return Math.floor(other / unit) * unit
}

function written(text: string, date: WrittenDate | undefined): string | undefined {
  return date === undefined ? undefined : text.slice(date.start, date.end)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
