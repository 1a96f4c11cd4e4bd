import { expect, it } from 'vitest'
import { ListedStandIns } from '../../src/redaction/listed-stand-ins.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { isLuhn } from '../../src/redaction/luhn.ts'
import { numbered, numberedValue } from '../support/numbered-stand-ins.ts'

/** Redacts a text, with the number of each stand-in in its place. */
const redact = (text: string): string => {
  const redactor = createRedactor()
  return numbered(redactor.text(text), redactor.standIns)
}

/** What a text becomes; `|` marks what stays as it is around the secret. */
const found: readonly (readonly [what: string, text: string, redacted: RegExp])[] = [
  ['a key behind a line break in JSON', '{"a":"my key:\\nsk-proj-a1B2c3D4e5F6g7H8i9J0k1"}', /^\{"a":"my key:\\nsk-proj-REDACTED0+1"\}$/],
  ['a key in a query', 'https://a.example/?k=%3Dsk-a1B2c3D4e5F6g7H8i9J0k1&x=1', /\?k=%3Dsk-REDACTED0+1&x=1$/],
  ['an Anthropic admin key', 'sk-ant-admin01-a1B2c3D4e5F6g7H8i9J0', /^sk-ant-admin01-REDACTED0+1$/],
  ['a webhook secret in base64', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /^whsec_REDACTED0+1$/],
  ['a bearer token with slashes escaped', '{\\"h\\":\\"Bearer abc\\/def\\/ghijklmnop\\"}', /^\{\\"h\\":\\"Bearer REDACTED0+1\\"\}$/],
  ['basic credentials', 'Authorization: Basic dXNlcjpodW50ZXIyMg==', /^Authorization: Basic REDACTED0+1==$/],
  ['a password in an address', 'postgres://shop:s3cr3t@db.example:5432/orders', /^postgres:\/\/shop:REDACTED0+1@db.example:5432\/orders$/],
  [
    'an encrypted private key',
    '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE/+v=\n-----END RSA PRIVATE KEY-----',
    /^-----BEGIN RSA PRIVATE KEY-----\nREDACTED0+1=\n-----END RSA PRIVATE KEY-----$/,
  ],
  ['cookies', 'Cookie: session=a1b2c3d4; theme=dark; _cf=x.y-z', /^Cookie: session=REDACTED0+1; theme=REDACTED0+2; _cf=REDACTED0+3$/],
  [
    'a cookie that is set, without its attributes',
    '["set-cookie","sid=a1b2c3d4; Path=/; Max-Age=3600; HttpOnly"]',
    /^\["set-cookie","sid=REDACTED0+1; Path=\/; Max-Age=3600; HttpOnly"\]$/,
  ],
  ['an address', 'Write to Ann.Lee+shop@mail.firm.co.uk.', /^Write to redacted0+1@mail\.example\.$/],
  ['an address behind a line break in JSON', '{"a":"\\nann@firm.de\\n"}', /^\{"a":"\\nredacted0+1@mail\.example\\n"\}$/],
  ['an address in a query', 'https://a.example/?to=ann.lee%40firm.de&x=1', /\?to=redacted0+1%40mail\.example&x=1$/],
  ['an address with its sign escaped', '"ann\\u0040firm.de"', /^"redacted0+1\\u0040mail\.example"$/],
  ['a card', 'card 4111 1111 1111 1111, thanks', /^card 4111 9999 000\d \d{4}, thanks$/],
  ['a card at the end of a sentence', 'It is 5555555555554444.', /^It is 55559999\d{8}\.$/],
  ['an American Express card', '3782-822463-10005', /^3782-9999\d\d-\d{5}$/],
  ['a card in a form', 'card=4111+1111+1111+1111&cvc=1', /^card=4111\+9999\+000\d\+\d{4}&cvc=1$/],
  ['a phone number with a calling code', 'call +49 (170) 123-4567 now', /^call \+49 \(000\) 000-0001 now$/],
  ['a phone number in a query', '?tel=%2B491701234567&x', /^\?tel=%2B490000000001&x$/],
  ['a phone number of North America', 'call (415) 555-2671 or 415-555-2672', /^call \(000\) 000-0001 or 000-000-0002$/],
  ['such a number in a query', '/find?q=call%20(415)%20555-2671&n=1', /^\/find\?q=call%20\(000\)%20000-0001&n=1$/],
  ['such a number in a form', 'q=call+%28415%29+555-2671&n=%28415%29', /^q=call\+%28000%29\+000-0001&n=%28415%29$/],
  ['such a number with its spaces escaped', 'q=%28415%29%20555%202671', /^q=%28000%29%20000%200001$/],
  ['such a number with its calling code in a form', 'q=%2B1+%28415%29+555-2671', /^q=%2B1\+%28000%29\+000-0001$/],
  ['such a number without a space', '(415)555-2671, (415) 555 2672', /^\(000\)000-0001, \(000\) 000 0002$/],
  ['a phone number in its field', '{"phone_number": "4155552671"}', /^\{"phone_number": "0000000001"\}$/],
  ['a password in JSON', '{"password":"correct horse"}', /^\{"password":"REDACTED0+1"\}$/],
  [
    'a password in JSON within JSON',
    '{"arguments":"{\\"db_password\\":\\"hunter2\\"}"}',
    /^\{"arguments":"\{\\"db_password\\":\\"REDACTED0+1\\"\}"\}$/,
  ],
  ['a key in a form', 'grant=x&client_secret=a1b2c3&scope=y', /^grant=x&client_secret=REDACTED0+1&scope=y$/],
  ['a key in a header', 'x-api-key: a1b2c3d4e5', /^x-api-key: REDACTED0+1$/],
  ['a key in an environment', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', /^AWS_SECRET_ACCESS_KEY=REDACTED0+1$/],
]

it.each(found)('takes out %s', (_, text, redacted) => {
  expect(redact(text)).toMatch(redacted)
})

const alike: readonly (readonly [what: string, text: string])[] = [
  ['order numbers', 'ord_4111111111111111, #W4111111, 20261121-021406123-9f2c41aa, 1234567890123456'],
  ['a number that is a card but for its check digit', '4111 1111 1111 1112'],
  ['a card within a longer number', '94111111111111111, 41111111111111110000, 0.4111111111111111, 4111111111111111.5'],
  ['a part of a card', '4111 and **** 1111'],
  ['digits in other groups', '411 1111 1111 11111'],
  ['unique ids', '41111111-1111-4111-9111-111111111111 aa33bd92-483a-4532-a046-c1f02f55c550'],
  ['hashes', 'e82398ea0de4ec786d9221b9dddc58e96dbdcde9cc136b9cd6f1fce613170ffa d41d8cd98f00b204e9800998ecf8427e'],
  ['times', '2026-11-21T04:14:52.963+01:00 1763698492963 1763698492963000 1763698492963000000 2026-11-21 04:14'],
  ['versions', 'lodash@4.17.21 react@19.0.0-beta.ab node 24.21.0, 1.2.3-rc.4+build.567890123'],
  ['packages and handles', '@ai-sdk/openai @ann a@b user@localhost git@github.com:shop/agent.git logo@2x.png'],
  ['phone-like ids', '123-456-7890 000-01-1234 900-12-3456 2026-11-21 100-200-3000 12+3456789012'],
  ['sums in brackets', '(415)+555-2671, x=(415)+555+2671'],
  ['sums', '1.5e+12345678901, 2+49170, x+491701234567890'],
  ['pictures', `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==`],
  [
    'words that begin as keys do',
    'sk-learn risk-assessment-of-the-company task-force hf_transformers ghp_ AKIA AKIAshort npm_config_registry',
  ],
  ['words about secrets', 'The password must have 8 characters. Bearer of bad news. Basic understanding. secret: none. api_key: string'],
  ['schemas', '{"properties":{"password":{"type":"string"},"api_key":{"type":"string"}},"required":["password","phone"]}'],
  [
    'types and placeholders in such fields',
    '{"password":"string","api_key":"<your key>","token":"Hello","access_token":"${TOKEN}","phone":"string"}',
  ],
  ['keys that have to be filled in', 'sk-xxxxxxxxxxxxxxxxxxxxxxxx ghp_xxxxxxxxxxxxxxxxxxxxxxxxxx sk-your-api-key-here-xxxxxxx'],
  ['tokens that have to be filled in', 'Authorization: Bearer YOUR_ACCESS_TOKEN, postgres://user:password@localhost/db, api_key=API_KEY'],
  ['counts of tokens and pages', '{"max_tokens":4096,"prompt_tokens":1234567,"next_page_token":"CAUQAA","input_tokens":12}'],
  ['addresses of hosts', 'http://10.0.0.1:8080/a http://[::1]:80/ https://a.example/x@y redis://cache:6379/0'],
  ['numbers in words', 'redacted2024.pdf REDACTED 0001 000123 0000001 (000) 000'],
]

/** What looks harmless and may not be. */
const unsure: readonly (readonly [what: string, value: unknown])[] = [
  ['a card in prose, behind the word order', 'My order 4111111111111111 has not come'],
  ['a card in prose, behind a colon', 'Order id: 4111111111111111'],
  ['a card in groups, whatever its field is called', { order_id: '4111 1111 1111 1111' }],
  ['a card beside other words in such a field', { order_id: 'paid with 4111111111111111' }],
  ['a card in fields of money', { payment_method_id: '4111111111111111', accountId: 4111111111111111, card_id: '4111111111111111' }],
  ['a card in fields that end in other words', { paid: '4111111111111111', format: 4111111111111111 }],
  ['a card in JSON in a field of money', '{"account_id":"4111111111111111"}'],
  ['phone numbers with a dot, two of them', 'call +45.26698410, +45.26698411'],
  ['a phone number as an id', { wa_id: '+491701234567' }],
  ['addresses at hosts that only end or begin as the reserved ones', ['ann@notexample.com', 'ann@example.com.firm.de', 'ann@shop.example']],
  ['a key that has more than x in it', 'sk-xxxxxxxxxxxxxxxxxxxx1xxx'],
  ['a password that begins as a placeholder does', { password: 'your-horse-battery' }],
  ['the beginning of a password', { password: 'horse...' }],
  ['a password in capitals', { password: 'MONKEY' }],
  ['a password in a URL', 'postgres://user:password1@localhost/db'],
]

it.each(unsure)('takes out %s', (_, value) => {
  const redactor = createRedactor()
  const redacted = JSON.stringify(redactor.value(value))
  expect(redacted).not.toMatch(/4111 ?1111 ?1111 ?1111|2669841|1701234567|ann@|xxx1|horse|MONKEY|password1/)
  expect(redactor.standIns.made).toBeGreaterThan(0)
})

it('takes a number out of prose that it has left alone as the value of a field', () => {
  const redactor = createRedactor()
  expect(redactor.value({ order_id: '4111111111111111' })).toEqual({ order_id: '4111111111111111' })
  expect(redactor.value({ text: '4111111111111111' })).not.toEqual({ text: '4111111111111111' })
})

it.each(alike)('leaves %s alone', (_, text) => {
  expect(redact(text)).toBe(text)
  expect(createRedactor().value({ field: text, list: [text] })).toEqual({ field: text, list: [text] })
})

it.each(found)('gives a stand-in of %s that stays as it is', (_, text) => {
  const redactor = createRedactor()
  const once = redactor.text(text)
  const again = createRedactor({ standIns: new ListedStandIns(redactor.standIns.rows) })
  expect(again.text(once)).toBe(once)
  expect(again.standIns.made).toBe(0)
})

it('gives a value one number, however it is written', () => {
  const redactor = createRedactor()
  const numbersIn = (text: string): number[] => redactor.standIns.find(redactor.text(text)).map(({ number }) => number)
  expect(numbersIn('Ann@Firm.de ann@firm.de ann%40firm.de "ann\\u0040firm.de" bob@firm.de')).toEqual([1, 1, 1, 1, 2])
  expect(numbersIn('+49 170 1234567, +491701234567, ?x=%2B49%20170%201234567')).toEqual([3, 3, 3])
  expect(numbersIn('(415) 555-2671, 415.555.2671, +1 415 555 2671')).toEqual([4, 4, 4])
  expect(numbersIn('(415)555-2671, (415) 555 2671, ?a=(415)%20555-2671, a=1+%28415%29+555-2671')).toEqual([4, 4, 4, 4])
  expect(numbersIn('4111111111111111, 4111 1111 1111 1111, 4111-1111-1111-1111')).toEqual([5, 5, 5])
  const pem = '-----BEGIN PRIVATE KEY-----\nMIIEvQIB\n-----END PRIVATE KEY-----'
  expect(numbersIn(`${pem} ${JSON.stringify(pem)}`)).toEqual([6, 6])
})

it('gives stand-ins that can be used as what they stand for', () => {
  const redactor = createRedactor()
  const [header = '', payload = '', ...rest] = redactor
    .text('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U')
    .split('.')
  expect([header, payload].map((part) => JSON.parse(atob(part)) as unknown)).toEqual([{ alg: 'none' }, { redacted: true }])
  expect(rest).toHaveLength(1)
  for (const card of ['4111111111111111', '5555555555554444', '378282246310005', '6011111111111117', '4222222222222']) {
    const standIn = redactor.text(card)
    expect(standIn).not.toBe(card)
    expect(standIn.slice(0, 4)).toBe(card.slice(0, 4))
    expect(isLuhn(standIn)).toBe(true)
  }
  expect(redactor.value({ card: 4111111111111111 })).toEqual({
    card: expect.toSatisfy((value) => isLuhn(String(value)) && value !== 4111111111111111) as number,
  })
  expect(new URL(redactor.text('https://ann:s3cr3t@shop.example/?to=ann%40firm.de')).searchParams.get('to')).toBe('wit@haab.zz')
})

it('reads fields by their name, in headers and maps too', () => {
  const value = {
    headers: [
      ['cookie', 'sid=a1b2c3d4; lang=en_GB'],
      ['authorization', 'Token a1b2c3'],
      ['accept', 'text/html'],
    ],
    OPENAI_API_KEY: 'not-of-any-shape',
    clientSecret: 'summer',
    mobile: '0170 1234567',
    phone: '4155552671',
  }
  const redactor = createRedactor()
  expect(numberedValue(redactor.value(value), redactor.standIns)).toEqual({
    headers: [
      ['cookie', 'sid=REDACTED00001; lang=REDACTED00002'],
      ['authorization', 'Token REDACTED00003'],
      ['accept', 'text/html'],
    ],
    OPENAI_API_KEY: 'REDACTED00004',
    clientSecret: 'REDACTED00005',
    mobile: '0000 0000001',
    phone: '0000000002',
  })
})

it('finds what stands as text in bytes, and takes nothing in a picture for an address', () => {
  const redactor = createRedactor()
  const bytes = Buffer.concat([Buffer.from([0, 255, 1]), Buffer.from('From: ann@firm.de\r\n'), Buffer.from([254, 0])])
  expect(Buffer.from(redactor.bytes(bytes)).toString('latin1')).toBe('\u0000\u00ff\u0001From: wit@haab.zz\r\n\u00fe\u0000')
  const picture = Buffer.from('\u0089PNG\u0000a@b.co\u0000+491701234567\u0001', 'latin1')
  expect(redactor.bytes(picture.subarray(0, 12))).toEqual(picture.subarray(0, 12))
})

it('keeps nothing that could be traced back: the same stand-ins for other secrets', () => {
  const of = (name: string): unknown => createRedactor().value({ mail: `${name}@firm.de`, password: `${name}-secret` })
  expect(of('ann')).toEqual(of('bob'))
})
