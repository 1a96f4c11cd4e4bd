import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { bytes } from './containers/draw.ts'
import { recordRun } from '../support/record-run.ts'

const encode = (text: string, encoding: 'base64' | 'base64url' = 'base64'): string => Buffer.from(text).toString(encoding)
const decode = (text: string): string => Buffer.from(text, 'base64').toString()

const mail = 'From: Ann <ann.lee@firm.de>\r\nTo: bob@home.uk\r\nSubject: ü?>~ÿ\r\n\r\npassword=hunter22x and nothing more.\r\n'
const redactedMail = 'From: Ann <wit.hhe@laab.zz>\r\nTo: wit@haab.zz\r\nSubject: ü?>~ÿ\r\n\r\npassword=withhe00b and nothing more.\r\n'

it.each([
  ['base64', encode(mail)],
  ['base64url', encode(mail, 'base64url')],
  ['base64 in lines', encode(mail).replaceAll(/.{60}/g, '$&\n')],
  ['base64 in lines of a mail', encode(mail).replaceAll(/.{76}/g, '$&\r\n')],
  ['base64 in a data URL', `data:message/rfc822;base64,${encode(mail)}`],
  ['base64 in a path', `/v1/messages/${encode(mail, 'base64url')}`],
])('keeps the length of %s, and everything in it but secrets', (_, text) => {
  const redactor = createRedactor()
  const redacted = redactor.text(text)
  expect(redacted).toHaveLength(text.length)
  expect(redacted.match(/[^A-Za-z0-9]/g)).toEqual(text.match(/[^A-Za-z0-9]/g))
  expect(decode(redacted.replace(/^.*[,/](?=\w{16})/, ''))).toBe(redactedMail)
  expect(redactor.text(redacted)).toBe(redacted)
})

it.each([
  ['JSON', (text: string) => JSON.stringify({ text }), (json: string) => (JSON.parse(json) as { text: string }).text],
  [
    'JSON with escaped slashes',
    (text: string) => JSON.stringify({ text }).replaceAll('/', '\\/'),
    (json: string) => (JSON.parse(json) as { text: string }).text,
  ],
  ['a form', (text: string) => new URLSearchParams({ text }).toString(), (form: string) => new URLSearchParams(form).get('text') ?? ''],
] as const)('reads the signs and line breaks of base64 in %s', (_, write, read) => {
  const key = `MIIKXAIBAzCC${bytes(300)}`
  const text = `${encode(mail).replaceAll(/.{76}/g, '$&\n')} ${key}`
  const redacted = read(createRedactor().text(write(text)))
  expect(decode(redacted.split(' ')[0] ?? '')).toBe(redactedMail)
  expect(redacted.split(' ')[1]).toMatch(/^WITHHELD|^WIthh|^WITH/i)
  expect(redacted).not.toContain(key.slice(40, 60))
})

it('decodes what base64 contains in base64, three times and no more', () => {
  const nested = (times: number): string => (times === 0 ? mail : encode(nested(times - 1)))
  const read = (text: string, times: number): string => (times === 0 ? text : read(decode(text), times - 1))
  expect(read(createRedactor().text(nested(3)), 3)).toBe(redactedMail)
  expect(createRedactor().text(nested(4))).toBe(nested(4))
})

it('lengthens base64 whose secret is too short for a stand-in of its length', () => {
  const text = createRedactor().text(encode('{"user":"ann","password":"a1b2","at":12}'))
  expect(JSON.parse(decode(text))).toEqual({ user: 'ann', password: 'REDACTED00001', at: 12 })
})

it('gives a value the same stand-in in clear and in base64', () => {
  const redactor = createRedactor()
  const value = redactor.value({ to: 'ann.lee@firm.de', raw: encode('To: ann.lee@firm.de\r\n\r\nHello\r\n') })
  expect(decode(value.raw)).toBe(`To: ${value.to}\r\n\r\nHello\r\n`)
})

it.each([
  ['pictures', `iVBORw0KGgo${bytes(200)}`],
  ['a text in UTF-16', Buffer.from('mail ann.lee@firm.de now, please', 'utf16le').toString('base64')],
  ['hashes', 'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=='],
  ['words', 'getUserAuthenticationTokenForRequestAndResponse'],
])('leaves %s alone', (_, text) => {
  expect(createRedactor().text(text)).toBe(text)
})

it('searches the first 400,000 characters of base64 in a text', () => {
  const text = encode(`${'nothing to see here. '.repeat(20_000)}ann.lee@firm.de`)
  expect(createRedactor().text(text)).toBe(text)
})

it('does not decode if the rule is off', () => {
  const ruleSet = createRuleSet({ off: ['encoded-text'] })
  expect(createRedactor({ ruleSet }).text(encode(mail))).toBe(encode(mail))
})

const send = external('send', async (raw: string) => ({ id: raw.length }))
const agentOf =
  (from: string, body: string) =>
  async ({ to }: { to: string }): Promise<unknown> =>
    await send(encode(`From: ${from}\r\nTo: ${to}\r\n\r\n${body}\r\n`, 'base64url'))

it('replays an agent that sends base64 of what it was given, and of its own address', async () => {
  const { trace, text } = await recordRun(agentOf('support@shop.eu', 'We refund 12 euros.'), { input: { to: 'ann.lee@firm.de' } })
  expect(text).not.toContain(encode('ann.lee@firm.de').slice(4, 12))
  expect(text).not.toContain(encode('support@shop.eu').slice(4, 12))
  const same = await replay(trace, agentOf('support@shop.eu', 'We refund 12 euros.'))
  expect(same.divergences).toEqual([])
  expect(same.hash).toBe(trace.hash)
})

it('finds a change beside the stand-ins in base64, and an address that changed its place', async () => {
  const { trace } = await recordRun(agentOf('support@shop.eu', 'We refund 12 euros.'), { input: { to: 'ann.lee@firm.de' } })
  const other = await replay(trace, agentOf('support@shop.eu', 'We refund 13 euros.'))
  expect(other.divergences).toHaveLength(1)
  const swapped = await replay(trace, async ({ to }: { to: string }) => {
    return await agentOf(to, 'We refund 12 euros.')({ to: 'support@shop.eu' })
  })
  expect(swapped.divergences).toHaveLength(1)
})
