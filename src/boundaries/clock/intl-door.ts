import { combine, replaceGetter, replaceProperty, type Restore } from '../patches.ts'
import type { RunClock } from './run-clock.ts'

type Format = Intl.DateTimeFormat['format']

/** `format()` and `formatToParts()` of an `Intl.DateTimeFormat`: without a date they take now. (`formatRange` has no such default.) */
export function intlDoor({ nowInRun }: RunClock): Restore {
  // `format` is a getter that gives a bound function, the same each time.
  const doors = new WeakMap<Format, Format>()
  const doorOf = (format: Format): Format => {
    const known = doors.get(format)
    if (known !== undefined) return known
    const door: Format = (date) => format(date === undefined ? nowInRun() : date)
    doors.set(format, door)
    return door
  }
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
