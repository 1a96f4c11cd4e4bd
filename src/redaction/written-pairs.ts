import { credentialNames, isCredentialField, isDrawn, noSecret } from './credential-fields.ts'
import { isPasswordIn } from './password-fields.ts'
import { isPlaceholder } from './placeholder.ts'
import type { Found } from './rule.ts'
import { isTokenField } from './token-fields.ts'
import { gap, openingQuote, readQuoted } from './written-values.ts'

/** `password = "…"`, `"password":"a\"b"`, `password: ''…''`: up to the quote that ends the value. */
const assigned = new RegExp(`(?<name>${credentialNames}|pass|pwd)(?:\\\\*["'])?${gap}(?:=>|[:=])${gap}${openingQuote}`, 'gi')

/** `{"name":"x-api-key","value":"…"}`, in JSON and in nested JSON, in any layout. */
const paired = new RegExp(
  `(?<quote>\\\\{0,15}")(?:name|key)\\k<quote>${gap}:${gap}\\k<quote>(?<name>[\\w.-]{1,80})\\k<quote>${gap},${gap}\\k<quote>value\\k<quote>${gap}:${gap}(?<escape>\\\\*)(?<sign>")`,
  'g',
)

/** A named value of a text. */
export interface WrittenPair {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Finds the values of credentials in quotes. */
export function* findQuotedCredentials(text: string): Generator<Found> {
  for (const pattern of [assigned, paired]) {
    for (const { name, start, end } of readPairs(text, pattern)) {
      if (isCredential(name, text.slice(start, end))) yield { start, end, shape: 'word' }
    }
  }
}

/** Finds names with their values in lists of pairs. */
export function listedPairs(text: string): Generator<WrittenPair> {
  return readPairs(text, paired)
}

function* readPairs(text: string, pattern: RegExp): Generator<WrittenPair> {
  for (const { index, groups, 0: found } of text.matchAll(pattern)) {
    const { name = '', escape = '', sign = '' } = groups ?? {}
    const value = readQuoted(text, index + found.length, escape, sign)
    // Read backwards: a pattern would check every place in the text.
    const [before = ''] = /[\w.-]*$/.exec(text.slice(Math.max(0, index - 60), index)) ?? []
    if (value !== undefined) yield { name: before + name, ...value }
  }
}

function isCredential(name: string, value: string): boolean {
  if (value.length < 4 || value.length > 1000 || /[\r\n]/.test(value) || noSecret.test(value) || isPlaceholder(value)) return false
  if (isCredentialField(name)) return true
  return isPasswordIn(name, value) || (isTokenField(name) && isDrawn(value) && !/[\s/]/.test(value))
}
