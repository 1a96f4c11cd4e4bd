import { combine, replaceGetter, replaceProperty, type Restore } from '../patches.ts'
import { marksDoor, monotonicDoor, timeOriginDoor } from './monotonic-door.ts'
import { currentScope } from '../../run/scope.ts'
import { knownOrMade } from '../../trace/remember.ts'

/** Everything that reads the time: `Date`, `Temporal.Now`, `Intl.DateTimeFormat` of now, `performance`, `process.hrtime`, `process.uptime`. */
export function clockDoor(): Restore {
  // The original, before any door.
  const realNow = Date.now
  const nowInRun: NowInRun = () => {
    const scope = currentScope()
    return scope?.run.readClock(scope.owner, realNow)
  }
  const dates = dateDoor(() => nowInRun() ?? realNow())
  return combine(dates, intlDoor(nowInRun), temporalDoor(nowInRun), monotonicDoor(), timeOriginDoor(), marksDoor())
}

/** The wall clock, in whole milliseconds since the epoch, if the calling code is in a run; undefined outside. */
type NowInRun = () => number | undefined

/** `Date.now()`, `new Date()`, `Date()`, and instances of subclasses. @param now Returns the time that the calling code sees. */
function dateDoor(now: () => number): Restore {
  const RealDate = globalThis.Date
  // `Date.now` is replaced on the original constructor, for code that has captured it; only `new Date()` and `Date()` need a new
  // constructor.
  const nowRestore = replaceProperty(RealDate, 'now', () => () => now())
  const DoorDate = new Proxy(RealDate, {
    construct(target, args, newTarget) {
      return Reflect.construct(target, args.length === 0 && currentScope() !== undefined ? [now()] : args, newTarget)
    },
    apply() {
      return new RealDate(now()).toString()
    },
  })
  const constructorRestore = replaceProperty(RealDate.prototype as Date & { constructor: unknown }, 'constructor', () => DoorDate)
  const dateRestore = replaceProperty(globalThis, 'Date', () => DoorDate)
  return combine(nowRestore, constructorRestore, dateRestore)
}

type Format = Intl.DateTimeFormat['format']

/** `format()` and `formatToParts()` of an `Intl.DateTimeFormat`, which default to now. (`formatRange` has no such default.) */
function intlDoor(nowInRun: NowInRun): Restore {
  // `format` is a getter that returns the same bound function each time.
  const doors = new WeakMap<Format, Format>()
  const doorOf = (format: Format): Format => knownOrMade(doors, format, () => (date) => format(date === undefined ? nowInRun() : date))
  const prototype = Intl.DateTimeFormat.prototype
  return combine(
    replaceGetter(prototype, 'format', (original) => {
      return function format(this: unknown): Format {
        return doorOf(original.call(this))
      }
    }),
    replaceProperty(prototype, 'formatToParts', (original) => {
      return function formatToParts(this: Intl.DateTimeFormat, date?: Date | number): Intl.DateTimeFormatPart[] {
        return original.call(this, date === undefined ? nowInRun() : date)
      }
    }),
  )
}

/** The used part of `Temporal`, which Node has since version 26. */
interface Temporal {
  readonly Now: Now
  readonly Instant: { fromEpochMilliseconds(milliseconds: number): Instant }
}

type Now = { timeZoneId(): string } & Record<Told, (timeZone?: unknown) => unknown>

type Told = 'instant' | 'zonedDateTimeISO' | 'plainDateTimeISO' | 'plainDateISO' | 'plainTimeISO'

interface Instant {
  toZonedDateTimeISO(timeZone: unknown): ZonedDateTime
}

type ZonedDateTime = Record<'toPlainDateTime' | 'toPlainDate' | 'toPlainTime', () => unknown>

/** `Temporal.Now`. In a run it returns whole milliseconds, as all wall clocks of a run do. */
function temporalDoor(nowInRun: NowInRun): Restore {
  const temporal = (globalThis as { readonly Temporal?: Temporal }).Temporal
  // Older versions of Node have an earlier draft behind a flag.
  if (typeof temporal?.Now.timeZoneId !== 'function') return () => undefined
  const { Now, Instant } = temporal
  const door = (key: Told, read: (instant: Instant, timeZone: unknown) => unknown): Restore => {
    return replaceProperty(Now, key, (original) => {
      return (...args: [timeZone?: unknown]) => {
        const now = nowInRun()
        if (now === undefined) return Reflect.apply(original, Now, args)
        return read(Instant.fromEpochMilliseconds(now), args[0])
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
