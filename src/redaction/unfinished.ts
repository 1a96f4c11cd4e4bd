import { decodeUnicodeEscapes } from './decoded-text.ts'

/** Longer than any secret: a longer run is data. */
const longestSecret = 16_384

/** The name of a field or header with a secret: what follows it in the line may be the secret. */
const announced =
  /passw|passphrase|secret|credential|(?:access|account|admin|api|app|application|encryption|licen[sc]e|master|private|service|shared|signing|subscription|webhook)[_-]?key|token|authorization|cookie|phone|mobile|fax|msisdn|_pass|_pwd|pass(?:code)?\\*["'=]|pwd\\*["'=]|curl |"-(?:u|-(?:[a-z]{1,20}-)?user)\\*"/i

/** Longer than any address with letters beyond ASCII and any account number: in a language without spaces, a whole text is one word. */
const longestAddress = 320

/** How much is kept back of a line longer than `longestSecret`: a field in it has an end. */
const keptBack = 4096

/**
 * Returns where the part of a text starts that may be the beginning of a secret; the text's length if there is none.
 *
 * @param wholeLines Whether a secret may consist of any characters except line breaks.
 */
export function startOfUnfinished(text: string, wholeLines: boolean): number {
  const line = Math.max(text.lastIndexOf('\n') + 1, text.length - longestSecret)
  const named = wholeLines ? line : line + (placeOfName(text.slice(line)) ?? longestSecret)
  const run = startOfRuns(text)
  const start = Math.min(run, text.length - named < longestSecret ? named : startOfRuns(text.slice(0, -keptBack)))
  const whole = startOfWord(text, start)
  return Math.min(whole, startOfPrivateKey(text, whole) ?? text.length)
}

/** Returns the position of a secret's name, even with escapes in it. */
function placeOfName(line: string): number | undefined {
  const decoded = decodeUnicodeEscapes(line)
  const index = announced.exec(decoded?.text ?? line)?.index
  return index === undefined ? undefined : (decoded?.placeOf(index) ?? index)
}

/** Returns the start of the token or number at the end of a text. A run of data that fills the whole range checked counts as neither. */
function startOfRuns(text: string): number {
  const token = startOfRun(text, isTokenCharacter)
  const digits = startOfRun(text, isDigitOrGap)
  const address = startOfRun(text, isAddressCharacter, longestAddress)
  const account = /(?<![A-Za-z0-9])[A-Z]{2}\d\d[A-Z0-9 +%]*\\*$/.exec(text.slice(-longestAddress))?.[0].length ?? 0
  const scheme = /(?:bearer|basic)(?: |\+|%20)$/i.exec(text.slice(Math.max(0, token - 9), token))
  const number = /\d/.test(text.slice(digits)) ? digits : text.length
  const start = Math.min(token - (scheme?.[0].length ?? 0), number, address, text.length - account)
  return text.length - start >= longestSecret ? text.length : start
}

/** Returns the start of the token or groups of digits around a place: part of a key is not a key. */
function startOfWord(text: string, place: number): number {
  const digits = startOfRun(text.slice(0, place), isDigitOrGap)
  const start = startOfRun(text.slice(0, /\d/.test(text.slice(digits, place)) ? digits : place), isTokenCharacter)
  return place - start < longestSecret ? start : place
}

/** Reads backwards: a pattern would read a long run over and over. */
function startOfRun(text: string, isPart: (code: number) => boolean, longest = longestSecret): number {
  let start = text.length
  const floor = Math.max(0, text.length - longest)
  while (start > floor && isPart(text.charCodeAt(start - 1))) start -= 1
  return start
}

/** Returns the start of a private key that does not end before a place. */
function startOfPrivateKey(text: string, before: number): number | undefined {
  const start = text.lastIndexOf('-----BEGIN')
  if (start === -1 || text.length - start >= longestSecret) return undefined
  const end = /-----END[A-Z0-9 +%]*-----/.exec(text.slice(start))
  return end === null || start + end.index + end[0].length > before ? start : undefined
}

/** Letters, digits, and the signs that tokens, addresses, URLs and escapes contain: `% + - . / : = @ \ _ ~`. */
function isTokenCharacter(code: number): boolean {
  const isLetter = (code >= 64 && code <= 90) || (code >= 97 && code <= 122)
  return isLetter || (code >= 45 && code <= 58) || code === 37 || code === 43 || code === 61 || code === 92 || code === 95 || code === 126
}

/** The same, plus characters beyond ASCII and the separators of URL parameters. */
function isAddressCharacter(code: number): boolean {
  return code >= 128 || code === 38 || code === 63 || isTokenCharacter(code)
}

/** Digits, and the gaps in a phone number or card number: space, `% ( ) + - .`. */
function isDigitOrGap(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 32 || code === 37 || code === 40 || code === 41 || code === 43 || code === 45 || code === 46
}
