import { runOutside } from '../run/scope.ts'
import { type WrittenDate, dateForms, datesIn, pairParts } from './dates.ts'
import type { FieldDifference } from './divergence.ts'

/** A module is loaded at most this long before the replaying thread began, in milliseconds, by the runner that started the thread. */
const before = 3_600_000

/** Knows which dates a run read from its clock. */
interface DrawnDates {
  isDrawnDate(date: WrittenDate, text: string): boolean
}

/** A moment between two real times, as read from a real clock instead of the run's. */
interface RealTime {
  readonly from: number
  readonly to: number
  readonly zones: readonly string[]
}

/**
 * Marks fields as coming from the environment if only dates differ and the replay's dates are the real date: a module read the date when it
 * was loaded, before any run, so a replay cannot replace it with the recorded one.
 *
 * @param processZone Returns the process's own time zone, before any replay changed it.
 * @param draws The dates that the run read itself.
 */
export function nameModuleDates(differences: readonly FieldDifference[], processZone: () => string, draws: DrawnDates): FieldDifference[] {
  if (differences.length === 0) return []
  const now = runOutside(() => Date.now())
  const real = { from: runOutside(() => performance.timeOrigin) - before, to: now, zones: ['UTC', processZone()] }
  return differences.map((difference) => (isModuleDate(difference, real, draws) ? { ...difference, part: 'environment' } : difference))
}

function isModuleDate({ expected, received }: FieldDifference, real: RealTime, draws: DrawnDates): boolean {
  if (expected === undefined || received === undefined || dateForms(expected, received).length > 0) return false
  const [recordedText, liveText] = [textOf(expected), textOf(received)]
  const pairs = pairParts([recordedText, datesIn(recordedText)], [liveText, datesIn(liveText)]) ?? []
  const isModules = ([recorded, live]: readonly [WrittenDate, WrittenDate]): boolean => {
    const text = liveText.slice(live.start, live.end)
    return text === recordedText.slice(recorded.start, recorded.end) || (isReal(live, real) && !draws.isDrawnDate(live, text))
  }
  return pairs.length > 0 && pairs.every(isModules)
}

function isReal({ time, hasTime }: WrittenDate, { from, to, zones }: RealTime): boolean {
  // The text may be cut to seconds or minutes.
  if (hasTime) return time > from && time <= to
  const day = new Date(time).toISOString().slice(0, 10)
  const days = zones.flatMap((timeZone) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    return [from, to].map((at) => format.format(at))
  })
  return days.includes(day)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
