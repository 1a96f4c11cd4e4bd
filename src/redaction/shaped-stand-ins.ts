import { knownOrMade } from '../trace/remember.ts'
import { luhnDigit } from './luhn.ts'
import { cardPattern, findShaped } from './find-shaped.ts'
import { callingCode, digitsOf, plus } from './number-patterns.ts'
import type { FoundStandIn, Secret, Shape, StandIns } from './stand-in.ts'

/** The host of e-mail stand-ins, which never exists. */
const domain = 'mail.example'

/** A token that decodes, but says nothing: `{"alg":"none"}` and `{"redacted":true}`. */
const tokenStart = 'eyJhbGciOiJub25lIn0.eyJyZWRhY3RlZCI6dHJ1ZX0.'

/**
 * The stand-ins of traces of formats 1 and 2, which do not list them: they are known by their shape alone.
 *
 * @note What these formats recognise may never change: their goldens are read for ever.
 */
export class ShapedStandIns implements StandIns {
  readonly keepsForm = false
  readonly rows: readonly [] = []
  readonly #numbersFrom: () => number
  readonly #numbers = new Map<string, number>()
  #last: number | undefined

  /** @param numbersFrom Returns the highest number in the trace, called when it is needed. Default: 0. */
  constructor(numbersFrom: () => number = () => 0) {
    this.#numbersFrom = numbersFrom
  }

  get last(): number {
    return (this.#last ??= this.#numbersFrom())
  }

  get made(): number {
    return this.#numbers.size
  }

  find(text: string): FoundStandIn[] {
    return findShaped(text)
  }

  standInFor({ shape, written, kept, identity }: Secret): string {
    return makeShaped(shape, written, this.#numberOf(identity), kept)
  }

  standInForNumber(value: number): number {
    return String(value).startsWith('99990') ? value : Number(`99990${this.#numberOf(String(value))}`)
  }

  /** Formats 1 and 2 do not say where a value came from. */
  variablesOf(): readonly string[] {
    return []
  }

  rewrite(written: string, number: number): string {
    return renumber(written, number)
  }

  #numberOf(identity: string): number {
    return knownOrMade(this.#numbers, identity, () => this.last + this.#numbers.size + 1)
  }
}

/**
 * Creates a stand-in that is known by its shape: `REDACTED` and a number that begins with a zero. It is as long as its secret only if that is long enough.
 *
 * @param secret The secret to replace.
 * @param kept How much of the secret stays at its start and end: a vendor's prefix, the lines around a key.
 */
function makeShaped(shape: Shape, secret: string, number: number, kept: { start: number; end: number }): string {
  if (shape === 'email') return makeEmail(secret, number)
  if (shape === 'card') return makeCard(secret, number)
  if (shape === 'phone') return makePhone(secret, number)
  if (shape === 'token') return `${tokenStart}REDACTED${pad(number, secret.length - tokenStart.length - 8)}`
  const [start, end] = [secret.slice(0, kept.start), secret.slice(secret.length - kept.end)]
  return `${start}REDACTED${pad(number, secret.length - start.length - end.length - 8)}${end}`
}

/** Returns the same stand-in with a different number. */
function renumber(standIn: string, number: number): string {
  const { name, digits = '', host = '' } = /^(?<name>redacted)(?<digits>0\d+)(?<host>\D.*)?$/i.exec(standIn)?.groups ?? {}
  if (name !== undefined) return `${name}${pad(number, digits.length)}${host}`
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
