import { luhnDigit } from './luhn.ts'
import { isWordStart } from './word-start.ts'

/** What a stand-in looks like: it has the shape of what it stands for. */
export type Shape = 'word' | 'email' | 'card' | 'phone' | 'token'

/** What a stand-in tells of what it stands for. */
export type StandInKind = 'email' | 'card' | 'phone' | 'secret'

/** A stand-in found in a text. */
export interface FoundStandIn {
  readonly start: number
  /** Of an e-mail address the name ends here: its host is the same in every one. */
  readonly end: number
  /** Its number within the trace: of the same value, however it is written, the same. */
  readonly number: number
  readonly kind: StandInKind
}

/** Where an e-mail address goes: a name that is never a host. */
const domain = 'mail.example'

/** A token that decodes, and says nothing: `{"alg":"none"}` and `{"redacted":true}`. */
const tokenStart = 'eyJhbGciOiJub25lIn0.eyJyZWRhY3RlZCI6dHJ1ZX0.'

/** What may stand between the digits of a card number, as text, in a URL and in a form. */
export const cardGap = '(?:[ +-]|%20)?'

/** What may stand between the digits of a phone number, as text, in a URL and in a form. */
export const phoneGap = '(?:(?:[ ().+-]|%2[089]){0,3})'

/** A plus sign, as text, in a URL and in JSON. */
export const plus = '(?:\\+|%2[bB]|\\\\u002[bB])'

/** Between the second and the third group of a number of North America. */
export const spaceOrSign = '(?:[ .+-]|%20)'

/** An area code in brackets, and what may follow it. The sign of a sum is a space only where the brackets are escaped, as forms do. */
export function bracketed(areaCode: string): string {
  return `(?:\\(${areaCode}\\)(?: |%20)?|%28${areaCode}%29(?:\\+|%20)?)`
}

/** Calling codes have one digit, two or three, and none is the beginning of another. */
export const callingCode = '(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\\d{3})'

const word = /redacted(?<digits>0\d{3,})(?=(?<host>(?:@|%40|\\u0040)mail\.example)?)/gi
const cardPattern = `[2-6](?:${cardGap}\\d){3}(?:${cardGap}9){4}(?<digits>${cardGap}0(?:${cardGap}\\d){4,12})(?!\\w)`
const card = new RegExp(cardPattern, 'g')
// Behind a calling code three zeros are enough; without one the area code 000 and the groups have to be there.
const phone = new RegExp(
  `${plus}${callingCode}(?:${phoneGap}0){3}(?<digits>(?:${phoneGap}\\d){3,12})(?!\\w)` +
    `|(?:1[ .-])?(?:000[ .-]{1,2}(?<local>\\d{3}[.-]\\d{4,})|${bracketed('000')}(?<bracketed>\\d{3}${spaceOrSign}\\d{4,}))(?!\\w)`,
  'g',
)
const phoneHint = /(?:\+|%2[bB]|u002[bB])[1-9]\d{0,2}(?:[ ().+-]|%2[089]){0,3}0|000(?:[) .-]|%29)/

/** The stand-ins in a text, in the order in which they stand there. */
export function findStandIns(text: string): FoundStandIn[] {
  const found: FoundStandIn[] = []
  if (text.includes('REDACTED0') || text.includes('redacted0')) {
    for (const { index, groups, 0: match } of text.matchAll(word)) {
      found.push({
        start: index,
        end: index + match.length,
        number: Number(groups?.['digits']),
        kind: groups?.['host'] ? 'email' : 'secret',
      })
    }
  }
  const words = found.length
  if (text.includes('9999')) {
    for (const { index, groups, 0: match } of text.matchAll(card)) {
      // The last digit is the check of the others.
      const number = Number(digitsOf(groups?.['digits'] ?? '').slice(0, -1))
      if (isWordStart(text, index)) found.push({ start: index, end: index + match.length, number, kind: 'card' })
    }
  }
  if (phoneHint.test(text)) {
    for (const { index, groups, 0: match } of text.matchAll(phone)) {
      const number = Number(digitsOf(groups?.['digits'] ?? groups?.['local'] ?? groups?.['bracketed'] ?? ''))
      if (isPhoneStart(text, index)) found.push({ start: index, end: index + match.length, number, kind: 'phone' })
    }
  }
  return found.length === words ? found : found.toSorted((a, b) => a.start - b.start)
}

/** A stand-in as it stands in a text, of an e-mail address with its host. */
export function standInText(text: string, { start, end, kind }: FoundStandIn): string {
  const [host = ''] = kind === 'email' ? (/^(?:@|%40|\\u0040)mail\.example/.exec(text.slice(end, end + 20)) ?? []) : []
  return text.slice(start, end) + host
}

/** Whether a number of North America may begin at a place: before a bracket that a form escapes, the sign of a sum is a space. */
export function isPhoneStart(text: string, index: number): boolean {
  return text[index] === '%' ? isWordStart(text, index, '-.') : isWordStart(text, index)
}

/** Whether there is a stand-in in a text. */
export function holdsStandIn(text: string): boolean {
  return findStandIns(text).length > 0
}

/**
 * Makes a stand-in.
 *
 * @param secret What it stands for.
 * @param kept How much of the secret stays at its start and at its end: a vendor's prefix, the lines around a key.
 */
export function makeStandIn(shape: Shape, secret: string, number: number, kept: { start: number; end: number }): string {
  if (shape === 'email') return makeEmail(secret, number)
  if (shape === 'card') return makeCard(secret, number)
  if (shape === 'phone') return makePhone(secret, number)
  if (shape === 'token') return `${tokenStart}REDACTED${pad(number, secret.length - tokenStart.length - 8)}`
  const [start, end] = [secret.slice(0, kept.start), secret.slice(secret.length - kept.end)]
  return `${start}REDACTED${pad(number, secret.length - start.length - end.length - 8)}${end}`
}

/** The same stand-in with another number. */
export function renumber(standIn: string, number: number): string {
  const [named] = /^redacted(?=0\d+$)/i.exec(standIn) ?? []
  if (named !== undefined) return `${named}${pad(number, standIn.length - 8)}`
  const isCard = new RegExp(`^${cardPattern}$`).test(standIn)
  return isCard ? makeCard(standIn, number) : makePhone(standIn, number)
}

function makeEmail(secret: string, number: number): string {
  const [at = '@'] = /@|%40|\\u0040/i.exec(secret) ?? []
  return `redacted${pad(number, secret.length - at.length - domain.length - 8)}${at}${domain}`
}

/** The first four digits stay, which are of the kind of card, the length, the gaps, and that the check digit is right. */
function makeCard(secret: string, number: number): string {
  const digits = digitsOf(secret)
  const room = Math.max(digits.length - 9, String(number).length + 1)
  const body = `${digits.slice(0, 4)}9999${String(number).padStart(room, '0')}`
  return refill(secret, `${body}${luhnDigit(body)}`)
}

/** The calling code and the gaps stay. No number begins with three zeros. */
function makePhone(secret: string, number: number): string {
  const [sign = ''] = new RegExp(`^(?:${plus}${callingCode}|1[ .-](?=\\(?\\d{3}))`).exec(secret) ?? []
  const rest = secret.slice(sign.length)
  const room = digitsOf(rest).length - 3
  return `${sign}${refill(rest, `000${String(number).padStart(room, '0')}`)}`
}

/** A text with other digits in the place of its own; those that it has no place for go to the end. */
function refill(text: string, digits: string): string {
  let next = 0
  const filled = text.replaceAll(/%2[089]|\d/g, (found) => (found.startsWith('%') ? found : (digits[next++] ?? '')))
  return `${filled}${digits.slice(next)}`
}

/** A number that begins with a zero, so that no other number behind the word is taken for one. */
function pad(number: number, digits: number): string {
  return String(number).padStart(Math.max(5, digits, String(number).length + 1), '0')
}

/** The digits of a number, without those of escapes between them. */
export function digitsOf(text: string): string {
  return text.replaceAll(/%2[089]|\D/g, '')
}
