import { decodeUnicodeEscapes } from './decoded-text.ts'

/** Longer than any secret: a longer run is data. */
const longestSecret = 16_384

/** The name of a field or header with a secret: what follows it in the line may be the secret. */
const announced =
  /passw|passphrase|secret|credential|(?:access|account|admin|api|app|application|encryption|licen[sc]e|master|private|service|shared|signing|subscription|webhook)[_-]?key|token|authorization|cookie|phone|mobil|fax|\btel|telefon|handy|natel|\bcell|whatsapp|電話|msisdn|_pass|_pwd|pass(?:code)?\\*["'=]|pwd\\*["'=]|curl |"-(?:u|-(?:[a-z]{1,20}-)?user)\\*"|_auth|authident|auths|-oauth|key-data|key_base|bindpw|psk|mnemonic|phrase|define\(|wifi:|srf|digest |kind\\*["']?:|pass(?:wd)?[ =]|\b(?:docker|podman|helm|az|echo|https?|xh|openssl|keytool|net|aws|npm|gh|smbclient|ldap\w{3,8}|mysql\w{0,8}|mariadb\w{0,8}|mongo\w{0,8}|sshpass|redis-cli)[ +]/i

/** The start of a container of several lines: what follows it may be secret by it. */
const opening =
  /kind\\*["']?:[\s\\nrt"']{0,40}Secret|PuTTY-User-Key|machine[\s\\nrt]{1,9}[\w-]+\.|default login|auths|-oauth|[,;](?:login_)?password|wallet|Private-Lines/

/** An object that may be a key, a cookie or a header: what comes later says whether it is. */
const openObject = /\\*"(?:kty|crv|d|k|name|key)\\*"/

/** In fewer characters, an object may not have a name yet. */
const shortestObject = 120

/** Longer than a container of several lines. */
const longestContainer = 8192

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
  const start = startOfSecret(text, wholeLines)
  const container = startOfObject(text, Math.min(start, startOfContainer(text)))
  // What comes before a container may be the beginning of a secret that goes on in it.
  return container >= start ? start : Math.min(container, startOfSecret(text.slice(0, container), wholeLines))
}

function startOfSecret(text: string, wholeLines: boolean): number {
  const line = Math.max(text.lastIndexOf('\n') + 1, text.length - longestSecret)
  // The rest of its line tells a password from a word: `INSERT INTO users (id, password) VALUES`, `machine host login me password`.
  const named = wholeLines || placeOfName(text.slice(line)) !== undefined ? line : text.length
  const run = startOfRuns(text)
  const start = Math.min(run, text.length - named < longestSecret ? named : startOfRuns(text.slice(0, -keptBack)))
  const whole = startOfWord(text, start)
  return Math.min(whole, startOfPrivateKey(text, whole) ?? text.length)
}

/** Returns the start of the object around a place, if it may be a key, a cookie or a header. */
function startOfObject(text: string, place: number): number {
  const open = text.lastIndexOf('{', place - 1)
  if (open === -1 || place - open > longestContainer || text.lastIndexOf('}', place - 1) > open) return place
  const close = text.indexOf('}', place)
  const object = text.slice(open, close === -1 ? text.length : close)
  return object.length < shortestObject || openObject.test(object) ? open : place
}

/** Returns the start of the word around a place: a name may continue to the left, and a tag may enclose it. */
function startOfContext(text: string, place: number): number {
  if (place > text.length) return place
  let start = place
  while (start > 0 && place - start < longestContext && text.charCodeAt(start - 1) > 32) start -= 1
  return place - start < longestContext ? start : place
}

/** A longer word is data. */
const longestContext = 200

/** Returns the start of a container that may not be complete; the text's length if there is none. */
function startOfContainer(text: string): number {
  // A sign by itself ends what came before it.
  if (text.length < 2) return text.length
  const from = Math.max(0, text.length - longestContainer)
  const tail = from === 0 ? text : text.slice(from)
  const opened = tail.search(opening)
  const lines = tail.search(encodedLines)
  const start = Math.min(opened === -1 ? tail.length : startOfContext(tail, opened), lines === -1 ? tail.length : lines)
  return from + Math.min(start, startOfQuoted(tail))
}

/** Returns the start of a quoted mailbox that may end in an address. */
function startOfQuoted(text: string): number {
  const from = Math.max(0, text.length - longestContext)
  const start = text.slice(from).search(/(?<!\w)\\*"[^"\\\r\n]{0,64}(?:\\*"(?:@[\w.-]*)?)?$/)
  return start === -1 ? text.length : from + start
}

/** Full lines of base64, up to the end of a text. */
const encodedLines =
  /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{60,76}(?:(?:\r?\n|(?:\\+r)?\\+n)[A-Za-z0-9+/]{60,76})*(?:\r?\n?|(?:\\+r)?\\*n?)[A-Za-z0-9+/]{0,76}$/

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
