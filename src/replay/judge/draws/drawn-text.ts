import { datesIn, type WrittenDate } from '../../../divergence/dates.ts'

/** A piece of a text that may be a drawn value. */
export interface DrawnPiece {
  readonly start: number
  readonly end: number
  readonly text: string
  /** For a time that is written as a date, or in seconds or milliseconds. */
  readonly date?: WrittenDate
}

/** The pieces of a text that are drawn values, or times of any kind, in order. A day is not a drawn value, because no read changes it. */
export function drawnPieces(text: string, isDrawn: (word: string) => boolean): DrawnPiece[] {
  // JSON escapes are not part of a word.
  const plain = text.replaceAll(escapes, '\\ ')
  const dates = datesIn(plain).filter(({ hasTime }) => hasTime)
  const found: DrawnPiece[] = []
  let at = 0
  for (const date of [...dates, undefined]) {
    wordsIn(plain, at, date?.start ?? plain.length, isDrawn, found)
    if (date === undefined) break
    found.push({ start: date.start, end: date.end, text: text.slice(date.start, date.end), date })
    at = date.end
  }
  return found
}

/** The form of a date: two dates of the same form differ only in the time. */
export function dateForm({ text, date }: Pick<DrawnPiece, 'text' | 'date'>): string {
  if (/^\d+$/.test(text)) return `${text.length} digits`
  return `${date?.hasTime} ${text.replaceAll(/\b(?:[ap]m|[a-z]{3,})\b/gi, 'w').replaceAll(/\d+/g, '0')}`
}

/** The unit of a date, in milliseconds. */
export function dateUnit({ text }: Pick<DrawnPiece, 'text'>): number {
  if (/^\d{13}$/.test(text) || /:\d\d\.\d{3}/.test(text)) return 1
  return /^\d+$/.test(text) || /:\d\d:\d\d/.test(text) ? 1000 : 60_000
}

const escapes = /\\[bfnrt]/g
const separator = /[^A-Za-z\d]/
const number = /(?<![\w.-])\d+\.\d+(?:e-\d+)?(?![\w.-])/

/** Increasingly small words: base64, words with hyphens, prefixed ids, bare words. */
const levels: readonly RegExp[] = [
  new RegExp(`${number.source}|[\\w+/-]{6,}={0,2}`, 'g'),
  /[\w-]{6,}/g,
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[A-Za-z\d]{6,}/gi,
]

function wordsIn(text: string, from: number, to: number, isDrawn: (word: string) => boolean, found: DrawnPiece[], level = 0): void {
  const pattern = levels[level]
  if (pattern === undefined || to - from < 6) return
  const part = text.slice(from, to)
  for (const match of part.matchAll(pattern)) {
    const [word] = match
    const [start, end] = [from + match.index, from + match.index + word.length]
    if (isDrawn(word)) found.push({ start, end, text: word })
    else if (separator.test(word)) wordsIn(text, start, end, isDrawn, found, level + 1)
  }
}
