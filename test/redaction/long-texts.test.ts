import { expect, it } from 'vitest'
import { builtInRules } from '../../src/redaction/built-in-rules.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { findStandIns } from '../../src/redaction/stand-in.ts'
import { createRandom } from '../support/random.ts'

/** Pieces that rules begin or go on with. */
const pieces = [
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

it.each([1, 2, 3, 4])(
  'comes to an end with long texts in which %i pieces are repeated: a look that grew with the square would not',
  (parts) => {
    const random = createRandom(`long texts ${parts}`)
    const units = Array.from({ length: 30 }, () =>
      Array.from({ length: parts }, () => pieces[random.whole(0, pieces.length - 1)] ?? '').join(''),
    )
    for (const unit of parts === 1 ? pieces : units) {
      const text = unit.repeat(Math.ceil(100_000 / unit.length))
      expect(createRedactor().text(text).length).toBeGreaterThan(0)
      expect(findStandIns(text).length).toBeLessThan(text.length)
      for (const rule of builtInRules) expect([...rule.find(text)].length).toBeLessThan(text.length)
    }
  },
)

it('never fails, and redacts what it gave to itself, over any text', () => {
  const random = createRandom('any text')
  for (let count = 0; count < 3000; count += 1) {
    const text = Array.from({ length: random.whole(1, 40) }, () => pieces[random.whole(0, pieces.length - 1)] ?? '').join('')
    const once = createRedactor().text(text)
    const again = createRedactor()
    expect(again.text(once), text).toBe(once)
  }
})
