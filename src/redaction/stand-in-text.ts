import { luhnDigit } from './luhn.ts'
import { callingCode } from './number-patterns.ts'
import type { Secret } from './stand-in.ts'
import { WrittenCharacters } from './written-characters.ts'

/** A character of a secret: a letter or digit to replace, or a gap. */
interface Character {
  readonly code: number
  readonly isLetter: boolean
}

/** The number of letters and digits from which on a stand-in can be told from other text. */
const fewest = 6

/**
 * Top-level domains that no one can register, by their length: user-assigned in ISO 3166, RFC 9476, RFC 6761, RFC 7686 (its names have 56 characters)
 * and RFC 6761 again. There is none of another length: a run of z is not delegated.
 */
const reserved: readonly (string | undefined)[] = [undefined, undefined, 'zz', 'alt', 'test', 'onion', undefined, 'invalid']

/**
 * Returns the stand-in of a secret: another letter for each letter, another digit for each digit, as wide in UTF-8 and in latin-1, with everything
 * else in place. It contains nothing of the secret, and is no address, number or host that can exist.
 *
 * @param number Tells it from the stand-ins of other secrets of the same form.
 * @returns Without escapes, as a program reads it; for numbers in groups, without gaps. Undefined if a text of this form cannot be told from others, or
 * cannot hold the number.
 */
export function standInText({ shape, written, kept, identity }: Secret, number: number): string | undefined {
  if (shape === 'card') return cardText(identity, number)
  if (shape === 'phone') return phoneText(identity, number)
  const secret = decode(written.slice(kept.start, written.length - kept.end), shape === 'email')
  if (shape === 'token') return tokenText(secret, number)
  if (shape === 'account')
    return wordText(
      secret.filter(({ isLetter }) => isLetter),
      number,
      new Map([
        [0, codeOf('Q')],
        [1, codeOf('Z')],
      ]),
    )
  if (shape === 'social-security') return wordText(secret, number, new Map([0, 1, 2].map((index) => [index, codeOf('0')])))
  if (shape === 'email') return fillText(secret, number, lastLabel(secret))
  return wordText(secret, number, hostsIn(secret))
}

/** Returns the number of a text that is a stand-in of its own form already, as in the input of a run that repeats another; undefined for any other text. */
export function numberOfStandIn(secret: Secret): number | undefined {
  const { shape, written, kept } = secret
  if (shape !== 'word' && shape !== 'email') return undefined
  const text = written.slice(kept.start, written.length - kept.end)
  if (!/^[^A-Za-z0-9]*[wW9]/.test(text)) return undefined
  const characters = decode(text, shape === 'email')
  const fixedCodes = shape === 'email' ? lastLabel(characters) : hostsIn(characters)
  const free = freeOf(characters, fixedCodes)
  const marked = free.slice(0, markerLength(free.length))
  // A shorter word or number may be a value of its own.
  if (marked.reduce((texts, { code }) => texts * radixOf(code), 1) < 10_000_000) return undefined
  let number = 0
  for (const { code } of free.slice(marked.length)) number = number * radixOf(code) + valueOf(code)
  return number > 0 && Number.isSafeInteger(number) && standInText(secret, number) === print(characters) ? number : undefined
}

function wordText(secret: readonly Character[], number: number, fixedCodes: ReadonlyMap<number, number>): string | undefined {
  return secret.filter(({ isLetter }) => isLetter).length < fewest ? undefined : fillText(secret, number, fixedCodes)
}

/** Replaces letters and digits: the first by a word that says what this is, the last by the number. @param fixedCodes Those that are given, by place. */
function fillText(secret: readonly Character[], number: number, fixedCodes: ReadonlyMap<number, number>): string | undefined {
  const free = freeOf(secret, fixedCodes)
  const marked = markerLength(free.length)
  const codes = new Map(fixedCodes)
  let rest = number
  for (let index = free.length - 1; index >= 0; index -= 1) {
    const { code, place } = free[index] ?? { code: 0, place: 0 }
    if (index < marked) codes.set(place, markerCode(code, index))
    else {
      const radix = radixOf(code)
      codes.set(place, codeOfValue(code, rest % radix))
      rest = Math.floor(rest / radix)
    }
  }
  return rest > 0 ? undefined : print(secret.map((character, place) => ({ ...character, code: codes.get(place) ?? character.code })))
}

/** @note Its first letter makes no escape with a backslash or a percent sign before it. */
const marker = 'withheld'

/** Three places are enough for the number of nearly every stand-in. */
function markerLength(free: number): number {
  return Math.min(marker.length, Math.max(0, free - 3))
}

function markerCode(code: number, index: number): number {
  if (isDigit(code)) return codeOf('9')
  if (radixOf(code) < 26) return codeOfValue(code, 0)
  return isUpper(code) ? codeOf(marker.toUpperCase(), index) : codeOf(marker, index)
}

function freeOf(secret: readonly Character[], fixedCodes: ReadonlyMap<number, number>): (Character & { readonly place: number })[] {
  return secret.flatMap((character, place) => (character.isLetter && !fixedCodes.has(place) ? [{ ...character, place }] : []))
}

/** How many characters may stand for one: beyond ASCII, one of each width. */
function radixOf(code: number): number {
  return isDigit(code) ? 10 : code < 128 ? 26 : 1
}

function valueOf(code: number): number {
  if (isDigit(code)) return code - codeOf('0')
  return code < 128 ? (code | 32) - codeOf('a') : 0
}

function codeOfValue(like: number, value: number): number {
  if (isDigit(like)) return codeOf('0') + value
  if (like < 128) return codeOf(isUpper(like) ? 'A' : 'a') + value
  const letter = String.fromCodePoint(like)
  const [lower, upper] = like < 0x1_00 ? 'éÉ' : like < 0x8_00 ? 'žŽ' : like < 0x1_00_00 ? '字字' : ['𠀀', '𠀀']
  return codeOf((letter === letter.toLowerCase() ? lower : upper) ?? '')
}

/** The letters behind the last dot. */
function lastLabel(secret: readonly Character[]): Map<number, number> {
  const start = secret.findLastIndex(({ code }) => code === codeOf('.')) + 1
  return labelAt(secret, start, secret.length)
}

/** In an address or a host, the last labels of its hosts; of an address of version 4, the first number: a network without hosts. */
function hostsIn(secret: readonly Character[]): Map<number, number> {
  const codes = new Map<number, number>()
  // One character for each, so that places are the same.
  const text = secret.map(({ code }) => (code < 128 ? String.fromCharCode(code) : 'é')).join('')
  if (/@|:\/\/|^[\w-]+(?:\.[\w-]+)+$/.test(text)) {
    for (const { index, 0: label } of text.matchAll(/(?<=\w\.)[A-Za-z]{2,24}(?![\w-]|\.\w)/g)) {
      for (const [place, code] of labelAt(secret, index, index + label.length)) codes.set(place, code)
    }
  }
  for (const { index, 0: first } of text.matchAll(/(?<![\w.])\d{1,3}(?=(?:\.\d{1,3}){3}(?![\w.]))/g)) {
    for (let place = index; place < index + first.length; place += 1) codes.set(place, codeOf('0'))
  }
  for (const { index, 0: sign } of text.matchAll(/\\(?=[A-Za-z])|%(?=[A-Za-z])|%\d(?=[A-Za-z])/g)) {
    // Another letter could make an escape with the sign.
    const place = index + sign.length
    codes.set(place, codeOf(isUpper(secret[place]?.code ?? 0) ? 'X' : 'x'))
  }
  return codes
}

function labelAt(secret: readonly Character[], start: number, end: number): Map<number, number> {
  const label = secret.slice(start, end)
  if (!label.every(({ code, isLetter }) => isLetter && code < 128 && !isDigit(code))) return new Map()
  const name = reserved[label.length] ?? 'z'.repeat(label.length)
  return new Map(label.map(({ code }, index) => [start + index, codeOf(isUpper(code) ? name.toUpperCase() : name, index)]))
}

/** The first four digits, which name the kind of card, and the length stay; the check digit is right. */
function cardText(digits: string, number: number): string | undefined {
  const room = digits.length - 9
  if (String(number).length > room) return undefined
  const body = `${digits.slice(0, 4)}9999${String(number).padStart(room, '0')}`
  return `${body}${luhnDigit(body)}`
}

/** The part behind the calling code: no number begins with three zeros. */
function phoneText(identity: string, number: number): string | undefined {
  const room = identity.replace(afterCallingCode, '').length - 3
  return room < 1 || String(number).length > room ? undefined : `000${String(number).padStart(room, '0')}`
}

const afterCallingCode = new RegExp(`^\\+${callingCode}`)

/** A token whose first two parts decode, and say nothing. */
function tokenText(secret: readonly Character[], number: number): string | undefined {
  const [header = '', payload = '', ...rest] = print(secret).split('.')
  const parts = [saying({ alg: 'none' }, header.length), saying({ redacted: true }, payload.length)]
  const signature = wordText(decode(rest.join('.')), number, new Map())
  return parts.includes(undefined) || signature === undefined ? undefined : [...parts, signature].join('.')
}

/** Returns JSON in base64, as long as asked for. */
function saying(content: object, length: number): string | undefined {
  const bytes = Math.floor((length * 3) / 4)
  const json = [JSON.stringify(content), '{"a":0}', '{}'].find((text) => text.length <= bytes)
  return json === undefined || length % 4 === 1 ? undefined : Buffer.from(json.padEnd(bytes)).toString('base64url')
}

function decode(written: string, inLowerCase = false): Character[] {
  const characters: Character[] = []
  const reader = new WrittenCharacters(written)
  while (reader.next()) {
    const code = inLowerCase && isUpper(reader.code) ? reader.code | 32 : reader.code
    characters.push({ code, isLetter: reader.isLetter })
  }
  return characters
}

function print(characters: readonly Character[]): string {
  return characters.map(({ code }) => String.fromCodePoint(code)).join('')
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isUpper(code: number): boolean {
  return code >= 65 && code <= 90
}

function codeOf(text: string, index = 0): number {
  return text.codePointAt(index) ?? 0
}
