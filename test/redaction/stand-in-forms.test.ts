import { expect, it } from 'vitest'
import { isLuhn } from '../../src/redaction/luhn.ts'
import { redactionOf } from '../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'
import { standInsOf } from '../../src/redaction/trace-stand-ins.ts'
import { recordRun } from '../support/record-run.ts'

const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1'
const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcwggSjAgEA\n-----END PRIVATE KEY-----'
const jwt = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c'

const secrets: readonly (readonly [what: string, value: object])[] = [
  ['an address of six characters', { to: 'a@b.co' }],
  ['an address of twelve characters', { to: 'ann@firms.eu' }],
  ['an address with signs', { to: 'Ann.Lee+shop_2@mail-1.firm.co.uk' }],
  ['an address with letters of latin-1', { to: 'Zoë.Ünal@müller.example' }],
  ['an address with letters beyond latin-1', { to: 'zoë.ł字@müller.example' }],
  ['a card with gaps', { card: '3782-822463-10005' }],
  ['a phone number with a calling code', { call: '+49 (170) 123-4567' }],
  ['a phone number in its field', { phone: '4155552671' }],
  ['an account number', { iban: 'DE89 3704 0044 0532 0130 00' }],
  ['a social security number', { ssn: '123-45-6789' }],
  ['a password of six characters', { password: 'a1b2c3' }],
  ['a password of digits', { password: '493021' }],
  ['a password with signs', { password: 'Pa"ss/w0rd é!' }],
  ['a key with its prefix', { text: `Use ${key} now` }],
  ['a private key', { pem }],
  ['a number that a path names', { pin: 4930217 }],
]

const ruleSet = createRuleSet({ rules: [{ name: 'pin', path: 'pin' }] })

it.each(secrets)('keeps the length of %s, character by character, in every form', (_, value) => {
  const redactor = createRedactor({ ruleSet })
  const redacted = redactor.value(value)
  const [before, after] = [Object.values(value).join(), Object.values(redacted).join()]
  expect(after).not.toBe(before)
  expect(classesOf(after)).toEqual(classesOf(before))
  for (const form of [
    (text: string) => Buffer.from(text),
    ...(/^[\0-\u00ff]*$/.test(before) ? [(text: string) => Buffer.from(text, 'latin1')] : []),
    (text: string) => JSON.stringify(JSON.stringify(text)),
    encodeURIComponent,
  ]) {
    expect(form(after)).toHaveLength(form(before).length)
    const written = form(after)
    const text = typeof written === 'string' ? written : written.toString('latin1')
    expect(redactor.standIns.find(text).map(({ number }) => number)).toEqual([1])
    expect(redactor.text(text)).toBe(text)
  }
})

/** The class and the width of each character; what is no letter and no digit is itself. */
function classesOf(text: string): string[] {
  return Array.from(text, (character) => {
    if (/\d/.test(character)) return 'digit'
    if (!/\p{L}/u.test(character)) return character
    const isUpper = character !== character.toLowerCase()
    return `${isUpper ? 'upper' : 'lower'} of ${Buffer.byteLength(character)}${character > '\u00ff' ? '' : ' in latin-1'}`
  })
}

it('keeps the length of a value however it is written, with one stand-in for all forms', () => {
  const redactor = createRedactor()
  const forms = ['Ann.Lee@Firm.de', 'ann.lee%40firm.de', String.raw`ann.lee\u0040firm.de`, String.raw`"to \"ann.lee@firm.de\""`]
  for (const form of forms) {
    const redacted = redactor.text(`<${form}>`)
    expect(redacted).toHaveLength(form.length + 2)
    expect(redactor.standIns.find(redacted).map(({ number }) => number)).toEqual([1])
  }
  expect(redactor.text('<Ann.Lee@Firm.de>')).toBe('<Wit.Hhe@Laab.zz>')
})

it('keeps a secret in latin-1 bytes in latin-1, and one in UTF-8 bytes in UTF-8', () => {
  const redactor = createRedactor()
  for (const encoding of ['latin1', 'utf8'] as const) {
    const body = Buffer.from('to zoë@müller.example;', encoding)
    const redaction = redactionOf(redactor, 'text/plain')
    let redacted = ''
    for (const byte of body) redaction.add(String.fromCharCode(byte), (piece) => (redacted += piece))
    redaction.end()
    expect(redaction.hasChanged).toBe(true)
    expect(Buffer.from(redacted, 'latin1').toString(encoding)).toBe('to wié@héeaab.invalid;')
  }
})

it('gives a token a stand-in whose parts decode, of the same length', () => {
  const redacted = createRedactor().text(`Bearer ${jwt}`)
  expect(redacted).toHaveLength(7 + jwt.length)
  const [header = '', payload = ''] = redacted.slice(7).split('.')
  expect([header, payload].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown)).toEqual([
    { alg: 'none' },
    { redacted: true },
  ])
})

it('never gives an address, a number or a host that can exist', () => {
  for (const tld of ['de', 'com', 'info', 'store', 'museum', 'network', 'software']) {
    const standIn = createRedactor().text(`ann@firm.${tld}`)
    expect(standIn).toHaveLength(9 + tld.length)
    expect(standIn).toMatch(/\.(?:zz|alt|test|onion|z{6}|invalid|z{8})$/)
  }
  const redactor = createRedactor({ ruleSet: createRuleSet({ rules: [{ name: 'place', path: 'place' }] }) })
  expect(redactor.value({ place: 'https://db.firm.com/a' })).toMatchObject({ place: expect.stringMatching(/\.alt\//) as string })
  expect(redactor.value({ place: '10.20.30.4' })).toMatchObject({ place: expect.stringMatching(/^00\./) as string })
  expect(redactor.text('+1 (415) 555-2671')).toMatch(/^\+1 \(000\)/)
  expect(redactor.text('123-45-6789')).toMatch(/^000-/)
  expect(redactor.text('DE89370400440532013000')).toMatch(/^QZ/)
  expect(isLuhn(redactor.text('4111111111111111'))).toBe(true)
})

it('gives no two values one stand-in, and none that another value has', () => {
  const redactor = createRedactor()
  const addresses = Array.from({ length: 3000 }, (_, index) => `${String.fromCharCode(97 + (index % 26))}${index}@b.co`)
  const standIns = addresses.map((address) => redactor.text(address))
  expect(new Set(standIns).size).toBe(addresses.length)
  const first = createRedactor().text('ann@firm.de')
  const other = createRedactor()
  const [taken, next] = [other.value({ password: 'kept', mail: first }), other.text('bob@home.uk')]
  expect(next).not.toBe(taken.mail)
})

it('changes the length of a value with fewer than six letters and digits', () => {
  const redactor = createRedactor()
  expect(redactor.value({ password: 'a1b2c' })).toEqual({ password: 'REDACTED00001' })
  expect(redactor.value({ password: '!?-+/&%$' })).toEqual({ password: 'REDACTED00002' })
})

it('lists each stand-in before the row that has it, so that a recording that is cut is understood', async () => {
  const { trace, text } = await recordRun(async (input: { mail: string }) => ({ mail: input.mail, other: 'bob@home.uk' }), {
    input: { mail: 'ann@firm.de' },
  })
  const kinds = text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind)
  expect(kinds.slice(0, 2)).toEqual(['run', 'stand-in'])
  expect(kinds.indexOf('end')).toBeGreaterThan(kinds.lastIndexOf('stand-in'))
  expect(text).not.toMatch(/ann@|bob@/)
  expect(
    standInsOf(trace)
      .find(JSON.stringify(trace.end?.output))
      .map(({ number }) => number),
  ).toEqual([1, 2])
})

it.each(['4111111111111111', '6011000990139424'])('finds the stand-in of %s behind the percent sign of a pattern', (card) => {
  const redactor = createRedactor()
  const pattern = redactor.text(`%${card}`)
  expect(pattern).toMatch(/^%\d{16}$/)
  expect(pattern).not.toContain(card)
  expect(redactor.standIns.find(pattern)).toMatchObject([{ start: 1, end: 17, number: 1 }])
  expect(redactor.text(pattern)).toBe(pattern)
})
