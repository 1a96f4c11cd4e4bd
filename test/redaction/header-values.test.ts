import { expect, it } from 'vitest'
import { redactHeaders } from '../../src/redaction/header-values.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'

const redact = (name: string, value: string, redactor = createRedactor()): string => redactHeaders(redactor, [[name, value]])[0]?.[1] ?? ''

it.each([
  [
    'set-cookie',
    'sid=a1b2c3d4; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly',
    /^sid=\S+; Path=\/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly$/,
  ],
  ['set-cookie', 'prefs={"name":"Ann Hart","seat":"12, 14"}; Secure', /^prefs=.+; Secure$/],
  ['cookie', 'sid=a1b2c3d4; city=New York, NY; lang=en_GB', /^sid=\S+; city=[^;]+; lang=\S+$/],
  ['authorization', 'Bearer a1b2c3d4e5f6a7b8', /^Bearer \S+$/],
  ['x-auth-token', 'a1b2c3d4e5f6a7b8', /^\S+$/],
  ['x-amz-meta-owner', 'ann@firm.de', /^\w{3}@\w{4}\.zz$/],
])('replaces the secrets of the header %s: %s', (name, value, expected) => {
  const redactor = createRedactor()
  const redacted = redact(name, value, redactor)
  expect(redacted).toMatch(expected)
  expect(redacted).not.toMatch(/a1b2|Ann|Hart|York|12, 14|ann@|en_GB/)
  expect(redact(name, redacted, redactor)).toBe(redacted)
})

it.each([
  ['content-type', 'application/json; charset=utf-8'],
  ['etag', 'W/"a1b2c3d4e5f6"'],
  ['x-next-page-token', 'a1b2c3d4e5f6a7b8'],
  ['x-ratelimit-remaining-tokens', '149984'],
  ['www-authenticate', 'Bearer resource_metadata="https://shop.example/.well-known/oauth-protected-resource", scope="orders"'],
  ['www-authenticate', 'Digest realm="cam", qop="auth", nonce="abc123", opaque="xyz"'],
])('keeps the header %s: %s', (name, value) => {
  expect(redact(name, value)).toBe(value)
})

it('gives a cookie one stand-in where it is set and where it is sent back', () => {
  const redactor = createRedactor()
  const set = redactHeaders(redactor, [['set-cookie', 'sid=a1b2c3d4; Path=/']])[0]?.[1]
  const sent = redactHeaders(redactor, [['cookie', 'lang=en; sid=a1b2c3d4']])[0]?.[1]
  expect(sent).toBe(`lang=en; ${set?.split(';')[0]}`)
})

it('applies the path of a rule to the header of that name', () => {
  const ruleSet = createRuleSet({ rules: [{ name: 'customer', path: 'headers["x-customer"]' }] })
  const redacted = redactHeaders(createRedactor({ ruleSet }), [
    ['x-customer', 'Hart'],
    ['x-shop', 'Hart'],
  ])
  expect(redacted[0]?.[1]).toMatch(/^REDACTED/)
})
