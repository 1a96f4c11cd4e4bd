import { expect, it } from 'vitest'
import { redactionOf } from '../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'

const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'
const short = 'xoxb-123456789a'
const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIB\nADANBgkq==\n-----END RSA PRIVATE KEY-----'

const email = 'ann.lee+shop@firm.co.uk'
const password = '{"password": "correct horse"}'
const cookie = 'Cookie: sid=a1b2c3d4; lang=en_GB'

/** Redacts pieces, and gives after each how many had been handed on. */
function redact(pieces: readonly string[]): { readonly handed: string[]; readonly counts: number[] } {
  const redactor = createRedactor()
  const redaction = redactionOf(redactor)
  const handed: string[] = []
  const counts = pieces.map((piece) => {
    redaction.add(piece, (redacted) => handed.push(redacted))
    return handed.length
  })
  redaction.end()
  return { handed, counts }
}

it('passes on immediately what cannot be the beginning of a secret', () => {
  const pieces = ['data: {"text":"one"}\n\n', 'data: {"text":"two"}\n\n', 'data: [DONE]\n\n']
  expect(redact(pieces)).toEqual({ handed: pieces, counts: [1, 2, 3] })
})

it('hands on a piece that ends in a word with the next one', () => {
  expect(redact(['one tw', 'o three ', 'four'])).toEqual({ handed: ['one tw', 'o three ', 'four'], counts: [0, 2, 2] })
})

it('finds a secret wherever the text is cut, into whatever pieces', () => {
  for (const secret of [
    key,
    short,
    `Bearer ${key.slice(8)}`,
    pem,
    email,
    'card 4111 1111 1111 1111',
    '+49 (170) 123-4567',
    password,
    cookie,
  ]) {
    const text = `before "${secret}" after, and ${secret}`
    const whole = createRedactor().text(text)
    for (let first = 0; first <= text.length; first += 1) {
      for (const second of [first, first + 1, first + 9]) {
        const { handed } = redact([text.slice(0, first), text.slice(first, second), text.slice(second)])
        expect(handed).toHaveLength(3)
        expect(handed.join('')).toBe(whole)
      }
    }
    expect(redact(text.split('')).handed.join('')).toBe(whole)
  }
})

it('keeps the lengths of pieces where the stand-ins have the length of the secrets', () => {
  const text = `before "${key}" after`
  const pieces = text.match(/.{1,7}/gs) ?? []
  expect(redact(pieces).handed.map(({ length }) => length)).toEqual(pieces.map(({ length }) => length))
})

it('does not wait forever for the end of something that is not a secret', () => {
  const data = 'A1b2'.repeat(8000)
  const { handed, counts } = redact([data, data, '"'])
  expect(counts).toEqual([1, 2, 3])
  expect(handed.join('')).toBe(`${data}${data}"`)
  expect(redact(['-----BEGIN CERTIFICATE-----\n', `${data}\n`, '-----END CERTIFICATE-----\n']).counts).toEqual([0, 2, 3])
})

it('takes no longer for long pieces than they are long', () => {
  const piece = `${'A1b2'.repeat(4000)}"`
  const { handed } = redact(Array.from({ length: 200 }, () => piece))
  expect(handed.join('')).toHaveLength(200 * piece.length)
})

it('looks again at a line that came up before when more is secret', () => {
  const redactor = createRedactor({ ruleSet: createRuleSet({ rules: [{ name: 'code', path: 'code' }] }) })
  const line = 'data: {"object":"chunk of an answer","order":"tulip-42","delta":{"content":"so"}}\n\n'
  const stream = (): string => {
    const redaction = redactionOf(redactor, 'text/event-stream')
    let text = ''
    for (const piece of [line, line]) redaction.add(piece, (redacted) => (text += redacted))
    redaction.end()
    return text
  }
  expect(stream()).toBe(line + line)
  redactor.value({ code: 'tulip-42' })
  expect(stream()).not.toContain('tulip-42')
})
