import { applyEdits } from '../redaction/edits.ts'

/** A date in a text. */
export interface WrittenDate {
  readonly start: number
  readonly end: number
  /** Milliseconds since the epoch; for a date without a time, its first moment in UTC. */
  readonly time: number
  readonly hasTime: boolean
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthName = `(?<month>${months.join('|')})[a-z]*\\.?`
const weekday = '(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*,?\\s+)?'
const clock = '(?<clock>,?(?:\\s+at)?[\\sT]\\s*\\d{1,2}:\\d\\d(?::\\d\\d)?(?:\\s?[ap]m)?(?:\\s(?:GMT|UTC|Z)[+-]?\\d*(?:\\s\\([^)]*\\))?)?)?'

/** The date formats of JavaScript's own functions, in English, and seconds and milliseconds since the epoch. */
const forms: readonly RegExp[] = [
  /(?<iso>\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)(?![\w-])/g,
  new RegExp(`\\b${weekday}${monthName}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?<year>\\d{4})\\b${clock}`, 'gi'),
  new RegExp(`\\b${weekday}(?<day>\\d{1,2})(?:st|nd|rd|th)?\\s+${monthName},?\\s+(?<year>\\d{4})\\b${clock}`, 'gi'),
  new RegExp(`\\b(?<monthNumber>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4})\\b${clock}`, 'gi'),
  new RegExp(`\\b(?<day>\\d{1,2})\\.(?<monthNumber>\\d{1,2})\\.(?<year>\\d{4})\\b${clock}`, 'gi'),
  /(?<![\w.-])(?<epoch>1\d{12}|1\d{9})(?![\w.-])/g,
]

/** The dates in a text, in order. */
export function datesIn(text: string): WrittenDate[] {
  const found: WrittenDate[] = []
  for (const form of forms) {
    for (const match of text.matchAll(form)) {
      const date = readDate(match[0], match.groups ?? {})
      if (Number.isNaN(date.time) || found.some(({ start, end }) => match.index < end && start < match.index + match[0].length)) continue
      found.push({ start: match.index, end: match.index + match[0].length, ...date })
    }
  }
  return found.toSorted((a, b) => a.start - b.start)
}

/** A text with a placeholder for every date. */
export function withoutDates(text: string): string {
  const blanks = datesIn(text).map(({ start, end }) => ({ start, end, text: '<date>' }))
  return applyEdits(text, blanks)
}

/** Pairs the parts of two texts; undefined if anything else differs. */
export function pairParts<Part extends Pick<WrittenDate, 'start' | 'end'>>(
  [expected, before]: readonly [text: string, parts: readonly Part[]],
  [received, now]: readonly [text: string, parts: readonly Part[]],
): (readonly [expected: Part, received: Part])[] | undefined {
  if (before.length !== now.length || textAround(expected, before) !== textAround(received, now)) return undefined
  return before.flatMap((part, index) => {
    const other = now[index]
    return other === undefined ? [] : [[part, other] as const]
  })
}

/** The text before, between and after parts of a text. */
function textAround(text: string, parts: readonly Pick<WrittenDate, 'start' | 'end'>[]): string {
  return [...parts, undefined].map((part, index) => text.slice(parts[index - 1]?.end ?? 0, part?.start)).join('\0')
}

function readDate(text: string, groups: Readonly<Record<string, string | undefined>>): Pick<WrittenDate, 'time' | 'hasTime'> {
  const { iso, epoch, year, month: name, monthNumber, day, clock: time } = groups
  if (epoch !== undefined) return { time: epoch.length === 13 ? Number(epoch) : Number(epoch) * 1000, hasTime: true }
  if (iso !== undefined) return { time: Date.parse(iso), hasTime: iso.length > 10 }
  if (time !== undefined && time !== '')
    return { time: Date.parse(text.replace(/(\d)(?:st|nd|rd|th)\b/i, '$1').replace(/\sat\b/, '')), hasTime: true }
  return {
    time: dayOf(Number(year), name === undefined ? Number(monthNumber) : months.indexOf(name.slice(0, 3).toLowerCase()) + 1, Number(day)),
    hasTime: false,
  }
}

/** The first moment of a day. A month above 12 is taken as the day: most of the world writes the day first. */
function dayOf(year: number, month: number, day: number): number {
  if (month > 12 && day <= 12) return dayOf(year, day, month)
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? Date.UTC(year, month - 1, day) : NaN
}

/** A date in its earlier and its current format. */
interface DateForm {
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
  const pairs = pairParts([expected, datesIn(expected)], [received, datesIn(received)]) ?? []
  if (!pairs.every(([one, other]) => isSameDate(one, other))) return []
  return pairs
    .map(([one, other]) => ({ expected: expected.slice(one.start, one.end), received: received.slice(other.start, other.end) }))
    .filter((form) => shapeOf(form.expected) !== shapeOf(form.received))
}

/** Dates with the same shape are different dates, not different formats. */
function shapeOf(date: string): string {
  return date.replaceAll(/\d/g, '0')
}

/** Some forms leave out milliseconds. */
function isSameDate(one: WrittenDate, other: WrittenDate): boolean {
  return one.hasTime === other.hasTime && Math.floor(one.time / 1000) === Math.floor(other.time / 1000)
}
