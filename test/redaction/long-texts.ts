import { expect } from 'vitest'
import { builtInRules } from '../../src/redaction/built-in-rules.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { findStandIns } from '../../src/redaction/stand-in.ts'
import { createRandom } from '../support/random.ts'

/** Pieces that rules begin or go on with. */
export const pieces: readonly string[] = [
  ...'aA0 1.-_+@%/\\"\':=;,()\n\t{}[]&?'.split(''),
  'eyJ',
  '.eyJ',
  'sk-',
  'sk_live_',
  'Bearer ',
  'Basic ',
  '-----BEGIN PRIVATE KEY-----',
  '-----END',
  'password',
  '"password":"',
  'api_key=',
  'Cookie: ',
  'a=b; ',
  '%40',
  '%2B',
  '\\u0040',
  '\\n',
  '+49',
  '0000',
  '4111',
  '9999',
  '(415) ',
  '%28415%29',
  '://',
  'a.',
  'REDACTED0',
  'redacted0',
  'phone":"',
]

/**
 * Looks for secrets in long texts, each of so many pieces that are repeated: so many texts, or, of one piece, one of each `every` pieces. A look that
 * grew with the square would not come to an end.
 */
export function expectEnds(parts: number, { texts, every }: { readonly texts: number; readonly every: number }): void {
  const random = createRandom(`long texts ${parts}`)
  const units = Array.from({ length: texts }, () =>
    Array.from({ length: parts }, () => pieces[random.whole(0, pieces.length - 1)] ?? '').join(''),
  )
  for (const unit of parts === 1 ? pieces.filter((_, index) => index % every === 0) : units) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length))
    expect(createRedactor().text(text).length).toBeGreaterThan(0)
    expect(findStandIns(text).length).toBeLessThan(text.length)
    for (const rule of builtInRules) expect([...rule.find(text)].length).toBeLessThan(text.length)
  }
}
