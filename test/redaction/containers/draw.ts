import { createRandom } from '../../support/random.ts'

const { next } = createRandom(20261130)
const lower = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const letters = `${lower}${lower.toUpperCase()}`

const of = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')

/** A password as a generator draws it: with letters and digits. */
export const password = (length = 16): string => `${of(letters, 1)}${of(digits, 1)}${of(`${letters}${digits}`, length - 2)}`

/** A token without a prefix of its own. */
export const token = (length = 40): string => password(length)

export const hex = (length: number): string => of(`${digits}abcdef`, length)

export const base32 = (length: number): string => of('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length)

/** Random bytes in base64, or in the form that URLs have. */
export const bytes = (length: number, encoding: 'base64' | 'base64url' = 'base64'): string =>
  Buffer.from(Array.from({ length }, () => Math.floor(next() * 256))).toString(encoding)

/** A structure of DER with random contents, in base64. @param start Its first bytes, in hexadecimal digits. */
export const der = (start: string, length: number): string =>
  Buffer.concat([Buffer.from(start, 'hex'), Buffer.from(bytes(length), 'base64')]).toString('base64')

/** In lines of 64 characters, as PEM has them. */
export const inLines = (text: string, length = 64): string => text.match(new RegExp(`.{1,${length}}`, 'g'))?.join('\n') ?? ''
