import { expect, it } from 'vitest'
import { redactionOf } from '../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import type { Redactor } from '../../src/redaction/redactor-types.ts'

const key = 'ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'
const signature = '3f1a9c0e5b7d2468ace013579bdf2468ace013579bdf2468ace013579bdf2468'

const escaped: readonly (readonly [what: string, body: string, secret: string])[] = [
  ['an address in JSON within JSON', String.raw`{"e":"{\"m\":\"bob\\u0040acmecorp.com\"}"}`, 'acmecorp'],
  ['an address one level deeper', String.raw`{"e":"{\"f\":\"{\\\"m\\\":\\\"bob\\\\u0040acmecorp.com\\\"}\"}"}`, 'acmecorp'],
  ['an address with letters beyond ASCII', String.raw`{"e":"{\"m\":\"bj\\u00f6rn\\u0040m\\u00fcnchen.de\"}"}`, 'nchen'],
  ['a signature behind an escaped sign', String.raw`{"url":"https://s3.test/a?x=1\u0026X-Amz-Signature=${signature}\u0026y=2"}`, signature],
  ['the name of a field', String.raw`{"pass\u0077ord":"correct horse"}`, 'correct'],
  ['the beginning of a key', String.raw`{"note":"\u0067hp_${key.slice(4)}"}`, key.slice(4)],
  ['the middle of a key', String.raw`{"note":"${key.slice(0, 30)}\u004b${key.slice(31)}"}`, key.slice(31)],
  ['the signs of JSON', String.raw`{"e":"{\u0022password\u0022:\u0022correct horse\u0022}"}`, 'correct'],
]

it.each(escaped)('finds a secret where %s is escaped, and leaves JSON', (_, body, secret) => {
  for (const length of [body.length, 9, 1]) {
    const redactor = createRedactor()
    const redacted = inPieces(body, length, redactor)
    expect(redacted).not.toContain(secret)
    expect(redactor.standIns.find(JSON.stringify(JSON.parse(redacted)))).toHaveLength(1)
    expect(redacted).toHaveLength(body.length)
    expect(redactor.text(redacted)).toBe(redacted)
  }
})

it('leaves what is escaped and harmless as it is', () => {
  for (const body of [String.raw`{"a":"\u003cb\u003e \u0026 \\u0040 it\u0027s","n":"\u00e9\u4f60"}`, String.raw`C:\users\u0040`]) {
    expect(createRedactor().text(body)).toBe(body)
  }
})

function inPieces(text: string, length: number, redactor: Redactor): string {
  const redaction = redactionOf(redactor, 'application/json')
  let redacted = ''
  for (let at = 0; at < text.length; at += length) redaction.add(text.slice(at, at + length), (each) => (redacted += each))
  redaction.end()
  return redacted
}
