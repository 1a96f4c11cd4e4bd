import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet, recordedRuleSet } from '../../src/redaction/rule-set.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const secret = 'atk-A-k3j4h5g6+f7d8/s9a0'
const needle = 'k3j4h5g6'

const server = await listen(async (request, response) => {
  const body = await readBody(request)
  const [, field = ''] = /^\/login\/(\w+)/.exec(request.url ?? '') ?? []
  response.setHeader('content-type', request.url?.endsWith('/stream') === true ? 'text/event-stream' : 'application/json')
  if (field === '') response.end(JSON.stringify({ got: body.length }))
  else if (request.url?.endsWith('/stream') === true) response.end(`data: ${JSON.stringify({ [field]: secret })}\n\n`)
  else response.end(JSON.stringify({ id: 1, [field]: secret, for: 'Ada' }))
})
afterAll(() => server.close())

const send = async (path: string, init: RequestInit = {}): Promise<string> => await (await fetch(server.url + path, init)).text()
const post = async (body: string, type = 'application/json'): Promise<string> =>
  await send('/use', { method: 'POST', headers: { 'content-type': type }, body })
const note = tool('note', {}, async (...args: unknown[]) => ({ noted: args.length }))
const ask = external('ask', async (...args: unknown[]) => ({ asked: args.length }))

/** What an agent does with a credential that it was given under a name that says so. */
const uses: Readonly<Record<string, (value: string) => unknown>> = {
  'another field': async (v) => await post(JSON.stringify({ v })),
  'a field within fields': async (v) => await post(JSON.stringify({ query: 'query($v: String!) { me(v: $v) { id } }', variables: { v } })),
  'a URL path': async (v) => await send(`/items/${encodeURIComponent(v)}/state`),
  'a query': async (v) => await send(`/items?${new URLSearchParams({ q: v }).toString()}`),
  'a form': async (v) => await post(new URLSearchParams({ v }).toString(), 'application/x-www-form-urlencoded'),
  'a plain text': async (v) => await post(`Use ${v}, please.`, 'text/plain'),
  'a prompt': async (v) => await post(JSON.stringify({ messages: [{ role: 'user', content: `Sign in with "${v}".` }] })),
  'JSON in JSON': async (v) => await post(JSON.stringify({ arguments: JSON.stringify({ v, at: 1 }) })),
  'a compared header': async (v) => await send('/items', { headers: { 'x-tenant-version': v } }),
  "a tool's field": async (v) => await note({ v }),
  "a tool's argument": async (v) => await note('use', v),
  'an argument of an external': async (v) => await ask(v, { v }),
  'a checkpoint': (v) => checkpoint('signed in', { v }),
  'an argument of a process': async (v) => (await promisify(execFile)(process.execPath, ['-e', '', `v=${v}`])).stdout,
  'an output': (v) => ({ v }),
}

describe.each(Object.entries(uses))('a credential that is passed on as %s', (_, use) => {
  it.each(['access_token', 'token', 'password', 'api_key', 'clientSecret'])('is taken out if an answer has it as %s', async (field) => {
    const agent = async (): Promise<unknown> => {
      const login = (await (await fetch(`${server.url}/login/${field}`)).json()) as Readonly<Record<string, string>>
      return await use(login[field] ?? '')
    }
    const { trace, text } = await recordRun(agent)
    expect(text).not.toContain(needle)
    const { divergences, outcome } = await replay(trace, agent)
    expect(divergences).toEqual([])
    expect(outcome).not.toBe('diverged')
  })
})

const login = tool('login', {}, async () => ({ token: secret }))
const passesOn =
  (signIn: (input: { readonly password?: string }) => unknown) =>
  async (input: { readonly password?: string }): Promise<string> => {
    const value = String(await signIn(input))
    for (const use of Object.values(uses)) await use(value)
    return value
  }

it.each<[string, ReturnType<typeof passesOn>, { readonly password?: string }]>([
  ['a stream', passesOn(async () => /"password":"(.*?)"/.exec(await send('/login/password/stream'))?.[1]), {}],
  ["a tool's result", passesOn(async () => (await login()).token), {}],
  ["the run's input", passesOn(({ password }) => password), { password: secret }],
  ['the code of the agent', passesOn(async () => (await note({ password: secret }), secret)), {}],
])('is taken out wherever it is passed on, if it came with %s', async (_, agent, input) => {
  const { trace, text } = await recordRun(agent, { input })
  expect(text).not.toContain(needle)
  expect((await replay(trace, agent)).divergences).toEqual([])
  const other = await replay(trace, async (given: typeof input) => [await agent(given), 'and more'])
  expect(other.divergences).not.toEqual([])
})

it.each([
  'admin',
  'true',
  'password',
  'swordfish',
  'a1b2',
  '12345678',
  'is too short',
  "can't be blank",
  'user1 or user2',
  '<token>',
  'YOUR_API_KEY',
])('leaves a plain word, a number and a sentence in the rest of the run: %s', (value) => {
  const redactor = createRedactor()
  redactor.value({ password: value, access_token: value, api_key: value })
  redactor.text(JSON.stringify({ password: value }))
  const sentence = `It says ${value} in prose.`
  expect(redactor.text(sentence)).toBe(sentence)
})

it('leaves what was written before the name was known, and takes out the whole value in which it is', () => {
  const redactor = createRedactor()
  expect(redactor.value({ v: secret })).toEqual({ v: secret })
  const { v, later, password } = redactor.value({ v: secret, password: secret, later: `v=${secret}` })
  expect(redactor.standIns.find(v)).toMatchObject([{ start: 0, end: v.length, number: 1 }])
  expect([password, later]).toEqual([v, `v=${v}`])
  expect(redactor.value({ v: secret })).toEqual({ v })
})

it.each([
  ['JSON', String.raw`{"password":"a1\/b2c3"}`, 'a1/b2c3'],
  ['a form', 'name=ada&password=a1%2Fb2c3%21', 'a1/b2c3!'],
  ['settings', 'db.password = a1/b2c3', 'a1/b2c3'],
  ['a command', 'login --password a1/b2c3', 'a1/b2c3'],
  ['a statement', "ALTER ROLE ada PASSWORD 'a1/b2c3'", 'a1/b2c3'],
])('knows the value itself from %s', (_, text, value) => {
  const redactor = createRedactor()
  redactor.text(text)
  const redacted = redactor.value({ v: value, in: `<${value}>` })
  expect(redactor.standIns.find(redacted.v)).toMatchObject([{ start: 0, number: 1 }])
  expect(redacted.in).toBe(`<${redacted.v}>`)
})

it('leaves it in the rest of the run where the rule is off, the value public, or a golden older than the rule', () => {
  const { rules } = createRuleSet().record
  const older = recordedRuleSet({ standIns: 0, rules: rules.filter((name) => name !== 'passed-on-credential') })
  for (const ruleSet of [createRuleSet({ off: ['passed-on-credential'] }), createRuleSet({ keep: [secret] }), older]) {
    const redactor = createRedactor({ ruleSet })
    redactor.value({ password: secret })
    expect(redactor.value({ v: secret })).toEqual({ v: secret })
  }
})

it('searches a long conversation for many credentials in little time', () => {
  const redactor = createRedactor()
  redactor.value(Array.from({ length: 5_000 }, (_, index) => ({ access_token: `atk-${index}-k3j4h5g6` })))
  const conversation = Array.from({ length: 500 }, (_, index) => ({ content: `message ${index} `.repeat(100) }))
  const start = process.cpuUsage()
  redactor.value(conversation)
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1_000).toBeLessThan(5_000)
})
