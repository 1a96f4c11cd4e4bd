import { datesIn, textBetween, type WrittenDate } from './dates.ts'

/** A date as it was written before, and as it is now. */
export interface DateForm {
  readonly expected: string
  readonly received: string
}

/** The dates that two texts write in different formats. Empty if anything else differs. */
export function dateForms(expected: unknown, received: unknown): DateForm[] {
  if (!isText(expected) || !isText(received)) return []
  return formsOf(String(expected), String(received))
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function formsOf(expected: string, received: string): DateForm[] {
  const [before, now] = [datesIn(expected), datesIn(received)]
  if (before.length !== now.length || textBetween(expected, before).join('\0') !== textBetween(received, now).join('\0')) return []
  const pairs = before.map((date, index) => [date, now[index]] as const)
  if (!pairs.every(([one, other]) => other !== undefined && isSameDate(one, other))) return []
  return pairs
    .map(([one, other]) => ({ expected: expected.slice(one.start, one.end), received: received.slice(other?.start, other?.end) }))
    .filter((form) => shapeOf(form.expected) !== shapeOf(form.received))
}

/** Differing dates of the same shape are different dates. */
function shapeOf(date: string): string {
  return date.replaceAll(/\d/g, '0')
}

/** Some forms leave out milliseconds. */
function isSameDate(one: WrittenDate, other: WrittenDate): boolean {
  return one.hasTime === other.hasTime && Math.floor(one.time / 1000) === Math.floor(other.time / 1000)
}
