import { runOutside } from '../run/scope.ts'
import { type WrittenDate, dateForms, datesIn, pairParts } from './dates.ts'
import type { FieldDifference } from './divergence.ts'

/** What a replay knows about the recording's clock and its own. */
interface RunClocks {
  /** When the recorded run started, in milliseconds since the epoch. */
  readonly startedAt: number
  /** When it ended. */
  readonly endedAt: number
  /** Whether the run or its recording read this date from its clock. */
  isDrawnDate(date: WrittenDate, text: string): boolean
}

/** The real times at which a module can have been loaded before a replay, and the time zones in which it can have written a day. */
export interface LoadTime {
  readonly from: number
  readonly to: number
  readonly zones: () => readonly string[]
}

/** The load time of the modules that are loaded by now. @param processZone The process's own time zone, before any replay changed it. */
export function loadTimeUntilNow(processZone: () => string): LoadTime {
  return runOutside(() => ({ from: Date.now() - process.uptime() * 1000, to: Date.now(), zones: () => ['UTC', processZone()] }))
}

/**
 * Marks fields as coming from the environment if only dates differ and they can be the times at which a module was loaded: the recorded one
 * before the recorded run, or a read of that run, the other one in this process, before the replay. A replay cannot replace such a date with the recorded one.
 */
export function nameModuleDates(differences: readonly FieldDifference[], loaded: LoadTime, clocks: RunClocks): FieldDifference[] {
  return differences.map((difference) => (isModuleDate(difference, loaded, clocks) ? { ...difference, part: 'environment' } : difference))
}

function isModuleDate({ expected, received }: FieldDifference, loaded: LoadTime, clocks: RunClocks): boolean {
  if (expected === undefined || received === undefined || dateForms(expected, received).length > 0) return false
  const [recordedText, liveText] = [textOf(expected), textOf(received)]
  const pairs = pairParts([recordedText, datesIn(recordedText)], [liveText, datesIn(liveText)]) ?? []
  const isModules = ([recorded, live]: readonly [WrittenDate, WrittenDate]): boolean => {
    const [before, now] = [recordedText.slice(recorded.start, recorded.end), liveText.slice(live.start, live.end)]
    if (before === now) return true
    const isMoved = clocks.isDrawnDate(recorded, before) && isAfterRecording(live, loaded, clocks)
    return (isMoved || isBeforeRecording(recorded, before, loaded, clocks)) && isLoadTime(live, loaded) && !clocks.isDrawnDate(live, now)
  }
  return pairs.length > 0 && pairs.every(isModules)
}

/** A day may be both: the day of the load, and the day of a read of the run. */
function isBeforeRecording(date: WrittenDate, text: string, { zones }: LoadTime, clocks: RunClocks): boolean {
  if (date.hasTime) return date.time <= clocks.startedAt && !clocks.isDrawnDate(date, text)
  return daysOf(clocks.startedAt, zones()).some((day) => dayIn(date) <= day)
}

/** The run read the clock itself, and a module does so now. */
function isAfterRecording(date: WrittenDate, { zones }: LoadTime, { endedAt }: RunClocks): boolean {
  return date.hasTime ? date.time > endedAt + drift : daysOf(endedAt, zones()).every((day) => dayIn(date) > day)
}

function isLoadTime(date: WrittenDate, { from, to, zones }: LoadTime): boolean {
  // The text may be cut to seconds or minutes.
  if (date.hasTime) return date.time >= Math.floor(from / minute) * minute && date.time <= to
  return [from, to].some((at) => daysOf(at, zones()).includes(dayIn(date)))
}

const minute = 60_000

/** The clock may be set while a run is recorded, and durations do not follow it. */
const drift = 1000

function daysOf(time: number, zones: readonly string[]): string[] {
  return zones.map((timeZone) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(time),
  )
}

function dayIn({ time }: WrittenDate): string {
  return new Date(time).toISOString().slice(0, 10)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
