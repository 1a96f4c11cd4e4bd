import { combine, replaceProperty, type Restore } from '../patches.ts'
import type { RunClock } from './run-clock.ts'

/** The used part of `Temporal`, which Node has since 26. */
interface Temporal {
  readonly Now: Now
  readonly Instant: { fromEpochMilliseconds(milliseconds: number): Instant }
}

interface Now {
  instant(): unknown
  timeZoneId(): string
  zonedDateTimeISO(timeZone?: unknown): unknown
  plainDateTimeISO(timeZone?: unknown): unknown
  plainDateISO(timeZone?: unknown): unknown
  plainTimeISO(timeZone?: unknown): unknown
}

interface Instant {
  toZonedDateTimeISO(timeZone: unknown): ZonedDateTime
}

interface ZonedDateTime {
  toPlainDateTime(): unknown
  toPlainDate(): unknown
  toPlainTime(): unknown
}

/** `Temporal.Now`. In a run it tells whole milliseconds, as all wall clocks of a run do. */
export function temporalDoor({ nowInRun }: RunClock): Restore {
  const temporal = (globalThis as { readonly Temporal?: Temporal }).Temporal
  // Older Nodes have an earlier draft behind a flag.
  if (typeof temporal?.Now.timeZoneId !== 'function') return () => undefined
  const { Now, Instant } = temporal
  const door = (key: keyof Now, read: (instant: Instant, timeZone: unknown) => unknown): Restore => {
    return replaceProperty(Now, key, (original) => {
      return (...args: [timeZone?: unknown]) => {
        const now = nowInRun()
        if (now === undefined) return Reflect.apply(original, Now, args) as string
        return read(Instant.fromEpochMilliseconds(now), args[0]) as string
      }
    })
  }
  const zoned = (instant: Instant, timeZone: unknown): ZonedDateTime =>
    instant.toZonedDateTimeISO(timeZone === undefined ? Now.timeZoneId() : timeZone)
  return combine(
    door('instant', (instant) => instant),
    door('zonedDateTimeISO', zoned),
    door('plainDateTimeISO', (instant, timeZone) => zoned(instant, timeZone).toPlainDateTime()),
    door('plainDateISO', (instant, timeZone) => zoned(instant, timeZone).toPlainDate()),
    door('plainTimeISO', (instant, timeZone) => zoned(instant, timeZone).toPlainTime()),
  )
}
