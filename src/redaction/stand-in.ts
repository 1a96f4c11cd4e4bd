import { luhnDigit } from './luhn.ts'
import { isWordStart } from './word-start.ts'

/** The shape of a stand-in, which is the shape of its secret. */
export type Shape = 'word' | 'email' | 'card' | 'phone' | 'token'

/** The kind of secret that a stand-in reveals. */
export type StandInKind = 'email' | 'card' | 'phone' | 'secret'

/** A stand-in found in a text. */
export interface FoundStandIn {
  readonly start: number
  /** For an e-mail address, the end of the name: the host is always the same. */
  readonly end: number
  /** Its number within the trace: the same for the same value, in every written form. */
  readonly number: number
  readonly kind: StandInKind
}

/** The host of e-mail stand-ins, which never exists. */
const domain = 'mail.example'

/** A token that decodes, but says nothing: `{"alg":"none"}` and `{"redacted":true}`. */
const tokenStart = 'eyJhbGciOiJub25lIn0.eyJyZWRhY3RlZCI6dHJ1ZX0.'

/** The possible gaps between the digits of a card number, as text, in a URL and in a form. */
export const cardGap = '(?:[ +-]|%20)?'

/** The possible gaps between the digits of a phone number, as text, in a URL and in a form. */
export const phoneGap = '(?:(?:[ ().+-]|%2[089]){0,3})'

/** A plus sign, as text, in a URL and in JSON. */
export const plus = '(?:\\+|%2[bB]|\\\\u002[bB])'

/** Between the second and the third group of a North American number. */
export const spaceOrSign = '(?:[ .+-]|%20)'

/** Returns a pattern for an area code in brackets and the gap that may follow. A plus sign is a space only if the brackets are escaped, as forms do. */
export function bracketed(areaCode: string): string {
  return `(?:\\(${areaCode}\\)(?: |%20)?|%28${areaCode}%29(?:\\+|%20)?)`
}

/** Calling codes have one to three digits, and none is the beginning of another. */
export const callingCode = '(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\\d{3})'

const word = /redacted(?<digits>0\d{3,})(?=(?<host>(?:@|%40|\\u0040)mail\.example)?)/gi
const cardPattern = `[2-6](?:${cardGap}\\d){3}(?:${cardGap}9){4}(?<digits>${cardGap}0(?:${cardGap}\\d){4,12})(?!\\w)`
const card = new RegExp(cardPattern, 'g')
// After a calling code three zeros are enough; without one, the area code 000 and the groups are required.
const phone = new RegExp(
  `${plus}${callingCode}(?:${phoneGap}0){3}(?<digits>(?:${phoneGap}\\d){3,12})(?!\\w)` +
    `|(?:1[ .-])?(?:000[ .-]{1,2}(?<local>\\d{3}[.-]\\d{4,})|${bracketed('000')}(?<bracketed>\\d{3}${spaceOrSign}\\d{4,}))(?!\\w)`,
  'g',
)
const phoneHint = /(?:\+|%2[bB]|u002[bB])[1-9]\d{0,2}(?:[ ().+-]|%2[089]){0,3}0|000(?:[) .-]|%29)/

/** Finds the stand-ins in a text, in order. */
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
      // The last digit is the check digit.
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

/** Returns a stand-in as written in a text; for an e-mail address, with its host. */
export function standInText(text: string, { start, end, kind }: FoundStandIn): string {
  const [host = ''] = kind === 'email' ? (/^(?:@|%40|\\u0040)mail\.example/.exec(text.slice(end, end + 20)) ?? []) : []
  return text.slice(start, end) + host
}

/** Returns whether a North American number may begin at a place: before a bracket that a form escapes, a plus sign is a space. */
export function isPhoneStart(text: string, index: number): boolean {
  return text[index] === '%' ? isWordStart(text, index, '-.') : isWordStart(text, index)
}

/** Returns whether a text contains a stand-in. */
export function holdsStandIn(text: string): boolean {
  return findStandIns(text).length > 0
}

/**
 * Creates a stand-in.
 *
 * @param secret The secret to replace.
 * @param kept How much of the secret stays at its start and end: a vendor's prefix, the lines around a key.
 */
export function makeStandIn(shape: Shape, secret: string, number: number, kept: { start: number; end: number }): string {
  if (shape === 'email') return makeEmail(secret, number)
  if (shape === 'card') return makeCard(secret, number)
  if (shape === 'phone') return makePhone(secret, number)
  if (shape === 'token') return `${tokenStart}REDACTED${pad(number, secret.length - tokenStart.length - 8)}`
  const [start, end] = [secret.slice(0, kept.start), secret.slice(secret.length - kept.end)]
  return `${start}REDACTED${pad(number, secret.length - start.length - end.length - 8)}${end}`
}

/** Returns the same stand-in with a different number. */
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

/** The first four digits (the kind of card), the length and the gaps stay, and the check digit is correct. */
function makeCard(secret: string, number: number): string {
  const digits = digitsOf(secret)
  const room = Math.max(digits.length - 9, String(number).length + 1)
  const body = `${digits.slice(0, 4)}9999${String(number).padStart(room, '0')}`
  return refill(secret, `${body}${luhnDigit(body)}`)
}

/** The calling code and the gaps stay. No real number begins with three zeros. */
function makePhone(secret: string, number: number): string {
  const [sign = ''] = new RegExp(`^(?:${plus}${callingCode}|1[ .-](?=\\(?\\d{3}))`).exec(secret) ?? []
  const rest = secret.slice(sign.length)
  const room = digitsOf(rest).length - 3
  return `${sign}${refill(rest, `000${String(number).padStart(room, '0')}`)}`
}

/** Replaces the digits of a text; surplus digits go to the end. */
function refill(text: string, digits: string): string {
  let next = 0
  const filled = text.replaceAll(/%2[089]|\d/g, (found) => (found.startsWith('%') ? found : (digits[next++] ?? '')))
  return `${filled}${digits.slice(next)}`
}

/** Pads a number to begin with a zero, so that no other number after the word is taken for a stand-in. */
function pad(number: number, digits: number): string {
  return String(number).padStart(Math.max(5, digits, String(number).length + 1), '0')
}

/** Returns the digits of a number, without the digits of escapes between them. */
export function digitsOf(text: string): string {
  return text.replaceAll(/%2[089]|\D/g, '')
}
