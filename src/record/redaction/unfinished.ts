/** Longer than any secret: what goes on for longer is data. */
const longestSecret = 16_384

/** What a field or header with a secret in it is called: what follows in the line may be the secret. */
const announced = /passw|passphrase|secret|api[_-]?key|private[_-]?key|token|authorization|cookie|phone|mobile|fax|msisdn/i

/**
 * Where the part of a text starts that may be the beginning of a secret: the text's length when there is none.
 *
 * @param wholeLines Whether a secret may be of any characters but line breaks.
 */
export function startOfUnfinished(text: string, wholeLines: boolean): number {
  const lineStart = text.lastIndexOf('\n') + 1
  const line = text.length - lineStart > longestSecret ? text.slice(-longestSecret) : text.slice(lineStart)
  const offset = text.length - line.length
  const inLine = wholeLines ? offset : offset + startInLine(line)
  const start = Math.min(inLine, startOfPrivateKey(text, inLine) ?? text.length)
  // A run of data that fills all that is looked at is no secret, and neither is a line.
  return text.length - start >= longestSecret ? text.length : start
}

function startInLine(line: string): number {
  const token = startOfRun(line, isTokenCharacter)
  const digits = startOfRun(line, isDigitOrGap)
  const name = announced.exec(line)?.index ?? line.length
  const scheme = /(?:bearer|basic)(?: |\+|%20)$/i.exec(line.slice(Math.max(0, token - 9), token))
  const number = /\d/.test(line.slice(digits)) ? digits : line.length
  return Math.min(token - (scheme?.[0].length ?? 0), number, name)
}

/** Read backwards: a pattern would read a long run over and over. */
function startOfRun(text: string, isPart: (code: number) => boolean): number {
  let start = text.length
  while (start > 0 && isPart(text.charCodeAt(start - 1))) start -= 1
  return start
}

/** Where a private key starts that has no end before a place. */
function startOfPrivateKey(text: string, before: number): number | undefined {
  const start = text.lastIndexOf('-----BEGIN')
  if (start === -1) return undefined
  const end = /-----END[A-Z0-9 +%]*-----/.exec(text.slice(start))
  return end === null || start + end.index + end[0].length > before ? start : undefined
}

/** Letters, digits and what stands between them in tokens, addresses, URLs and escapes: `% + - . / : = @ \ _ ~`. */
function isTokenCharacter(code: number): boolean {
  const isLetter = (code >= 64 && code <= 90) || (code >= 97 && code <= 122)
  return isLetter || (code >= 45 && code <= 58) || code === 37 || code === 43 || code === 61 || code === 92 || code === 95 || code === 126
}

/** Digits and what may stand between those of a phone number or a card: space, `% ( ) + - .`. */
function isDigitOrGap(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 32 || code === 37 || code === 40 || code === 41 || code === 43 || code === 45 || code === 46
}
