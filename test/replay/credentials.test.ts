import { expect, it } from 'vitest'
import { renderReport } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import type { Row } from '../../src/trace/rows.ts'
import { bankKey, bearer, continuousIntegration, judge, openShop, production, setEnvironment, shopKey } from '../support/credential-shop.ts'
import { recordRun } from '../support/record-run.ts'
import { toGoldenTrace } from '../support/replay-clean.ts'

const { ask, url } = await openShop()

/** An agent that asks two services, each with a key. */
const twoServices = (first: () => string, second: () => string) => async (): Promise<unknown> => [
  await ask('/shop', bearer(first())),
  await ask('/bank', { 'x-api-key': second() }),
]

it('is green with the keys of another machine, and writes none to the disk', async () => {
  const { trace } = await recordRun(twoServices(shopKey, bankKey))
  expect(await judge(trace, twoServices(shopKey, bankKey))).toBe('green')
  const written = JSON.stringify(trace.rows)
  for (const value of Object.values(production)) expect(written).not.toContain(value)
})

it.each([
  ['one provider’s key sent to another', twoServices(bankKey, bankKey), '1 input: credential'],
  ['two keys swapped', twoServices(bankKey, shopKey), '1 input: credential'],
  [
    'a scheme changed',
    async () => [await ask('/shop', { authorization: `Basic ${shopKey()}` }), await ask('/bank', { 'x-api-key': bankKey() })],
    '1 input: credential',
  ],
  ['a credential dropped', async () => [await ask('/shop', {}), await ask('/bank', { 'x-api-key': bankKey() })], '1 input: credential'],
  [
    'a credential added',
    async () => [await ask('/shop', bearer(shopKey())), await ask('/bank', { 'x-api-key': bankKey(), ...bearer(shopKey()) })],
    '2 input: credential',
  ],
])('is red for %s', async (_what, changed, verdict) => {
  const { trace } = await recordRun(twoServices(shopKey, bankKey))
  expect(await judge(trace, changed)).toBe(verdict)
})

it('says that a swap is undecided where all variables have one text', async () => {
  const { trace } = await recordRun(twoServices(shopKey, bankKey))
  const one = { SHOP_KEY: 'same-dummy-key', BANK_KEY: 'same-dummy-key' }
  expect(await judge(trace, twoServices(shopKey, bankKey), one)).toBe('green, same-value')
  expect(await judge(trace, twoServices(bankKey, shopKey), one)).toBe('green, same-value')
})

it('notes a credential of unknown origin in production', async () => {
  const ofFile = (text: string) => twoServices(() => text, bankKey)
  const { trace } = await recordRun(ofFile('from-a-file-20cd1f9b'))
  expect(await judge(trace, twoServices(shopKey, bankKey))).toBe('green, unknown-origin')
  setEnvironment(continuousIntegration)
  const run = await replay(trace, async () => [await ask('/shop', { ...bearer('other-file-99ee'), 'x-a': '1' })])
  expect(renderReport(run, { color: false, width: 100 })).toContain('different headers')
})

/** Two users log in, and each deletes their own order. */
const twoUsers = (of: (tokens: readonly string[]) => readonly string[]) => async (): Promise<unknown> => {
  const tokens: string[] = []
  for (const user of ['ada', 'alan']) tokens.push(((await ask(`/login/${user}`, {}, 'POST')) as { access_token: string }).access_token)
  const [first = '', second = ''] = of(tokens)
  return [await ask('/orders/1', bearer(first), 'DELETE'), await ask('/orders/1', bearer(second), 'DELETE')]
}

it.each([
  ['the tokens of two users', (tokens: readonly string[]) => tokens, 'green'],
  ['swapped tokens', ([one = '', other = '']: readonly string[]) => [other, one], '3 input: credential'],
  ['another user’s token', ([, other = '']: readonly string[]) => [other, other], '3 input: credential'],
  ['a constant in place of a token', ([, other = '']: readonly string[]) => ['tok-constant-5511aa', other], '3 input: credential'],
  ['a key in place of a token', ([, other = '']: readonly string[]) => [shopKey(), other], '3 input: credential'],
])('judges %s', async (_what, of, verdict) => {
  const { trace } = await recordRun(twoUsers((tokens) => tokens))
  expect(await judge(trace, twoUsers(of))).toBe(verdict)
})

it('is red for two tokens of one answer that are swapped', async () => {
  const agent = (name: 'access_token' | 'refresh_token') => async (): Promise<unknown> => {
    const tokens = (await ask('/login/ada', {}, 'POST')) as Readonly<Record<string, string>>
    return await ask('/orders', bearer(tokens[name]))
  }
  const { trace } = await recordRun(agent('access_token'))
  expect(await judge(trace, agent('access_token'))).toBe('green')
  expect(await judge(trace, agent('refresh_token'))).toBe('2 input: credential')
})

it('matches calls made at once by their tokens, in whatever order they are made', async () => {
  const agent = (reversed: boolean) => async (): Promise<unknown> => {
    const tokens: string[] = []
    for (const user of ['ada', 'alan']) tokens.push(((await ask(`/login/${user}`, {}, 'POST')) as { access_token: string }).access_token)
    return (await Promise.all((reversed ? tokens.toReversed() : tokens).map((token) => ask('/me', bearer(token))))).length
  }
  const { trace } = await recordRun(agent(false))
  expect(await judge(trace, agent(true))).toBe('green')
})

it('takes a value of the input as the run’s own', async () => {
  const agent = async ({ token }: { token: string }): Promise<unknown> => await ask('/orders', bearer(token))
  const { trace } = await recordRun(agent, { input: { token: 'user-token-31aa02ff' } })
  expect(await judge(trace, agent)).toBe('green')
  expect(await judge(trace, async () => await ask('/orders', bearer('tok-constant-5511aa')))).toBe('1 input: credential')
})

it('compares keys in a query by their variables, and keeps none', async () => {
  const agent = (key: () => string) => async (): Promise<unknown> => await ask(`/search?q=tea&api_key=${encodeURIComponent(key())}`, {})
  const { trace } = await recordRun(agent(shopKey))
  expect(JSON.stringify(trace.rows)).not.toContain(production.SHOP_KEY)
  expect(await judge(trace, agent(shopKey))).toBe('green')
  expect(await judge(trace, agent(bankKey))).toBe('1 input: credential')
  const dropped = async (): Promise<unknown> => await ask('/search?q=tea', {})
  expect(await judge(trace, dropped)).toBe('1 input: credential')
})

it('compares a key of records as what is asked for', async () => {
  const agent = (key: string) => async (): Promise<unknown> => await ask(`/records?key=${key}`, { 'x-object-key': key })
  const { trace } = await recordRun(agent('user:42'))
  expect(await judge(trace, agent('user:42'))).toBe('green')
  expect(await judge(trace, agent('user:43'))).toBe('1 input: url, headers')
})

it('compares cookies by their names, and by what the run was given', async () => {
  const agent = (cookie: string) => async (): Promise<unknown> => await ask('/orders', { cookie })
  const { trace } = await recordRun(agent('session=4f9a2c71d8e0; tier=9'))
  expect(await judge(trace, agent('tier=9; session=4f9a2c71d8e0'))).toBe('green, unknown-origin')
  expect(await judge(trace, agent('session=4f9a2c71d8e0; tier=8'))).toBe('1 input: credential')
  expect(await judge(trace, agent('token=4f9a2c71d8e0; tier=9'))).toBe('1 input: credential')
})

it('compares the key that signs a request, and not its signature', async () => {
  const signed = (key: string, signature: string) => async (): Promise<unknown> =>
    await ask('/', {
      authorization: `AWS4-HMAC-SHA256 Credential=${key}/2026${signature.length}01/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=${signature}`,
    })
  const { trace } = await recordRun(signed(shopKey(), 'aa11'))
  setEnvironment(continuousIntegration)
  expect(await judge(trace, signed(shopKey(), 'bb22cc'))).toBe('green')
  expect(await judge(trace, signed(bankKey(), 'bb22cc'))).toBe('1 input: credential')
})

it('compares a value of the environment by its variable where the text differs', async () => {
  const agent = (organization: string | undefined) => async (): Promise<unknown> =>
    await ask('/', { 'openai-organization': organization ?? '', 'x-plan': 'gold' })
  const { trace } = await recordRun(agent(production.SHOP_ORGANIZATION))
  expect(trace.steps[0]?.credentials).toEqual([{ at: 'openai-organization', variables: ['SHOP_ORGANIZATION'] }])
  expect(await judge(trace, () => agent(process.env['SHOP_ORGANIZATION'])())).toBe('green')
  expect(await judge(trace, agent(production.SHOP_ORGANIZATION))).toBe('green')
  expect(await judge(trace, () => agent(process.env['SHOP_REGION'])())).toBe('1 input: headers')
  expect(await judge(trace, agent('org-somebody-else'))).toBe('1 input: headers')
})

it('names the variables of a golden, with values that are no credentials', async () => {
  const agent = async (): Promise<unknown> =>
    await ask('/', { ...bearer(shopKey()), 'openai-organization': process.env['SHOP_ORGANIZATION'] ?? '' })
  const { trace } = await recordRun(agent)
  const { toGolden } = await import('../../src/replay/goldens/promotion/to-golden.ts')
  const { rows } = toGolden(trace, { name: 'named', promotedAt: '2026-11-21T00:00:00.000Z' })
  expect(rows[0]).toMatchObject({ golden: { variables: { SHOP_KEY: null, SHOP_ORGANIZATION: 'org-production-77' } } })
})

it('tells a validator and a session of an earlier run as process state', async () => {
  const agent = (kept: Readonly<Record<string, string>>) => async (): Promise<unknown> => await ask('/prices', kept)
  for (const [name, value] of [
    ['if-none-match', '"etag-91c2"'],
    ['cookie', 'session=4f9a2c71d8e0'],
  ] as const) {
    const { trace } = await recordRun(agent({ [name]: value }))
    const run = await replay(trace, agent({}))
    const report = renderReport(run, { color: false, width: 120 })
    expect(report).toContain('process state')
    expect(report).toContain('Create what keeps it (a cache, a cookie jar, a session) once per run: inside the agent, or in its context.')
  }
})

it('says whose credentials differ', async () => {
  const { trace } = await recordRun(twoServices(shopKey, bankKey))
  setEnvironment(continuousIntegration)
  const run = await replay(toGoldenTrace(trace), twoServices(bankKey, bankKey))
  expect(run.divergences[0]?.differences).toEqual([
    { path: 'headers.authorization', part: 'credential', expected: 'the value of SHOP_KEY', received: 'the value of BANK_KEY' },
  ])
  expect(renderReport(run, { color: false, width: 120 })).toContain('The agent made this call with a different credential.')
})

it('keeps the client of a call once for each name', async () => {
  const agent = async (): Promise<unknown> => [
    await ask('/', { 'user-agent': 'Shop/JS 1.0' }),
    await ask('/', { 'user-agent': 'Shop/JS 1.0' }),
  ]
  const { trace } = await recordRun(agent)
  const clients = trace.rows.flatMap((row: Row) => (row.kind === 'call' ? [row.client] : []))
  expect(clients).toEqual(['Shop/JS 1.0', undefined])
})

/** A new version of an SDK pins another version of the API, and sends its key in another header. */
it('tells of a new version of a client as drift, and of the same by hand as a changed request', async () => {
  const sdk = (version: string, headers: Readonly<Record<string, string>>) => async (): Promise<unknown> =>
    await ask('/v1/messages', { 'user-agent': `Shop/JS ${version}`, ...headers })
  const before = { 'shop-version': '2023-06-01', 'x-api-key': shopKey() }
  const { trace } = await recordRun(sdk('0.137.0', before))
  setEnvironment(continuousIntegration)
  const after = { 'shop-version': '2026-10-21', ...bearer(shopKey()) }
  const run = await replay(toGoldenTrace(trace), sdk('1.14.0', after))
  expect(run.divergences).toEqual([])
  expect(run.drift).toEqual([
    {
      kind: 'client',
      step: 1,
      expected: 'Shop/JS 0.137.0',
      received: 'Shop/JS 1.14.0',
      paths: ['headers["shop-version"]', 'headers["x-api-key"]', 'headers.authorization'],
    },
  ])
  expect(await judge(trace, sdk('0.137.0', after))).toBe('1 input: headers, credential')
  expect(await judge(trace, sdk('1.14.0', { 'shop-version': '2026-10-21', ...bearer(bankKey()) }))).toBe('1 input: credential')
  expect(await judge(trace, sdk('1.14.0', { ...after, 'x-tenant': 'b' }))).toBe('1 input: headers')
  const { trace: versioned } = await recordRun(sdk('0.137.0', { 'x-account-version': '7', 'notion-version': '2022-06-28' }))
  expect(await judge(versioned, sdk('1.14.0', { 'x-account-version': '8', 'notion-version': '2022-06-28' }))).toBe('1 input: headers')
  expect(await judge(versioned, sdk('1.14.0', { 'x-account-version': '7', 'notion-version': 'none' }))).toBe('1 input: headers')
  expect(await judge(versioned, sdk('1.14.0', { 'x-account-version': '7', 'notion-version': '2025-09-03' }))).toBe('green')
})

it('tells of a version of the API in the address as drift of a new client', async () => {
  const sdk = (version: string, address: string) => async (): Promise<unknown> => await ask(address, { 'user-agent': `Shop/JS ${version}` })
  for (const [before, after, path] of [
    ['/v1beta/orders?page=1', '/v1/orders?page=1', 'url'],
    ['/orders?api-version=2024-05-01', '/orders?api-version=2026-05-01', 'query["api-version"]'],
  ] as const) {
    const { trace } = await recordRun(sdk('2.32.0', before))
    const run = await replay(toGoldenTrace(trace), sdk('3.3.0', after))
    expect(run.divergences).toEqual([])
    expect(run.drift).toEqual([{ kind: 'client', step: 1, expected: 'Shop/JS 2.32.0', received: 'Shop/JS 3.3.0', paths: [path] }])
    expect(await judge(trace, sdk('2.32.0', after))).toBe('1 input: url')
  }
  const { trace } = await recordRun(sdk('2.32.0', '/v1/orders'))
  for (const other of ['/v1/refunds', '/v2/refunds', '/orders', '/v1/v1/orders'])
    expect(await judge(trace, sdk('3.3.0', other))).toBe('1 input: url')
})

it('passes over an accept header that one of two versions of a client sends by itself', async () => {
  const sdk = (version: string, accept: string) => async (): Promise<unknown> =>
    await ask('/orders', { 'user-agent': `Shop/JS ${version}`, accept })
  const axios = 'application/json, text/plain, */*'
  for (const [before, after] of [
    [axios, 'application/json'],
    ['application/json', '*/*'],
  ] as const) {
    const { trace } = await recordRun(sdk('7.19.0', before))
    const run = await replay(toGoldenTrace(trace), sdk('8.2.0', after))
    expect([run.divergences, run.drift]).toEqual([[], []])
    expect(await judge(trace, sdk('7.19.0', after))).toBe('1 input: headers')
    expect(await judge(trace, sdk('8.2.0', 'text/csv'))).toBe('1 input: headers')
  }
})

it('passes over another way to treat redirects of a new version of a client, and not of the same version', async () => {
  const sdk = (version: string, redirect: RequestRedirect) => async (): Promise<unknown> =>
    await (await fetch(`${url}/orders`, { redirect, headers: { 'user-agent': `Shop/JS ${version}` } })).json()
  const { trace } = await recordRun(sdk('7.19.0', 'follow'))
  const run = await replay(toGoldenTrace(trace), sdk('8.2.0', 'error'))
  expect([run.divergences, run.drift]).toEqual([[], []])
  expect(await judge(trace, sdk('7.19.0', 'error'))).toBe('1 input: redirect')
})
