import http from 'node:http'
import { afterAll, expect, it } from 'vitest'
import { request as undiciRequest } from 'undici'
import { listen } from '../../examples/world/listen.ts'
import { correlationHeaders, leftOutHeaders } from '../../src/http/request-headers.ts'
import { replay } from '../../src/replay/replay.ts'
import type { HttpInput } from '../../src/trace/rows.ts'
import { recordRun } from '../support/record-run.ts'
import { toGoldenTrace } from '../support/replay-clean.ts'

const server = await listen(async (_request, response) => void response.end('{}'))
afterAll(() => server.close())

type Sent = Readonly<Record<string, string>>

const overHttp = async (headers: Sent | string[]): Promise<unknown> =>
  await new Promise((resolve, reject) => {
    const sent = http.request(server.url, { headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    sent.on('error', reject).end()
  })

/** A fetch that a client took before goldenrun replaced it. */
const earlyFetch = globalThis.fetch

const clients: Readonly<Record<string, (headers: Sent) => Promise<unknown>>> = {
  fetch: async (headers) => (await fetch(server.url, { headers })).status,
  'fetch with a Request': async (headers) => (await fetch(new Request(server.url, { headers }))).status,
  'a fetch taken earlier': async (headers) => (await earlyFetch(server.url, { headers })).status,
  'undici.request': async (headers) => (await undiciRequest(server.url, { headers })).statusCode,
  'http.request': overHttp,
  'http.request with a list': async (headers) => await overHttp(['Host', 'shop.example', ...Object.entries(headers).flat()]),
}

it.each(Object.entries(clients))('compares every header that the caller sets with %s', async (_name, send) => {
  const sent = { 'x-amz-target': 'DynamoDB.GetItem', 'if-match': '"1"', prefer: 'return=minimal', accept: 'application/json' }
  const { trace } = await recordRun(() => send(sent))
  for (const each of [trace, toGoldenTrace(trace)]) {
    const unchanged = await replay(each, () => send(sent))
    expect([unchanged.divergences, unchanged.hash]).toEqual([[], trace.hash])
    for (const [header, value] of Object.entries({ ...sent, 'x-new': undefined })) {
      const changed = await replay(each, () => send({ ...sent, [header]: 'other/value' }))
      expect(changed.divergences).toMatchObject([
        { cause: 'input', step: 1, parts: ['headers'], differences: [{ expected: value, received: 'other/value' }] },
      ])
      expect(changed.divergences[0]?.differences[0]?.path.replaceAll(/headers[.[]|["\]]/g, '')).toBe(header)
    }
    const { prefer: _, ...without } = sent
    expect((await replay(each, () => send(without))).divergences).toMatchObject([{ step: 1, parts: ['headers'] }])
  }
})

it.each(Object.entries(clients))('keeps nothing that %s adds', async (_name, send) => {
  const { trace } = await recordRun(() => send({ 'x-tenant': 'a' }))
  expect(trace.steps.map(({ input }) => (input as HttpInput).headers)).toEqual([[['x-tenant', 'a']]])
})

it('compares headers of 60 kB of http.request', async () => {
  const long = (letter: string): Sent => ({ 'x-claims': letter.repeat(60_000) })
  const { trace } = await recordRun(() => overHttp(long('a')))
  expect((await replay(trace, () => overHttp(long('a')))).divergences).toEqual([])
  expect((await replay(trace, () => overHttp(long('b')))).divergences).toMatchObject([{ step: 1, parts: ['headers'] }])
})

it('compares the type that fetch gives a body', async () => {
  const post = (body: BodyInit) => async (): Promise<number> => (await fetch(server.url, { method: 'POST', body })).status
  const { trace } = await recordRun(post(new URLSearchParams({ a: '1' })))
  expect((await replay(trace, post(new URLSearchParams({ a: '1' })))).divergences).toEqual([])
  expect((await replay(trace, post('a=1'))).divergences).toMatchObject([{ parts: ['headers', 'body'] }])
})

it.each([
  ['accept', '*/*'],
  ['accept', 'application/json, text/plain, */*'],
  ['accept-language', '*'],
])('counts %s: %s as absent', async (name, value) => {
  const send = clients['fetch'] ?? overHttp
  const { trace } = await recordRun(() => send({ [name]: value }))
  expect((await replay(trace, () => send({}))).divergences).toEqual([])
  const { trace: without } = await recordRun(() => send({}))
  expect((await replay(without, () => send({ [name]: value }))).divergences).toEqual([])
})

// A literal for each pattern, so that the table decides and not its own pattern.
const examples: Readonly<Record<string, string>> = {
  'amz-sdk-*': 'amz-sdk-invocation-id',
  'anthropic-client-*': 'anthropic-client-version',
  'sec-ch-*': 'sec-ch-ua',
  'x-fern-*': 'x-fern-sdk-version',
  'x-stainless-*': 'x-stainless-package-version',
  'x-weaviate-client*': 'x-weaviate-client-integration',
  'ot-tracer-*': 'ot-tracer-spanid',
  'uberctx-*': 'uberctx-user',
  'x-b3-*': 'x-b3-traceid',
  'x-datadog-*': 'x-datadog-parent-id',
  'x-dynatrace*': 'x-dynatrace',
  'x-instana-*': 'x-instana-t',
  'x-newrelic-*': 'x-newrelic-transaction',
  '*-hmac': 'shop-hmac',
  '*-hmac-*': 'shop-hmac-sha256',
  '*-sign': 'x-bapi-sign',
  '*-signature': 'stripe-signature',
  '*-signature-*': 'x-hub-signature-256',
  'want-*digest': 'want-repr-digest',
  'x-amz-checksum-*': 'x-amz-checksum-crc32',
  'x-ms-*-crc64': 'x-ms-content-crc64',
  'x-ms-*-md5': 'x-ms-blob-content-md5',
  '*-correlation-id': 'x-correlation-id',
  '*-request-id': 'x-request-id',
  '*-trace-id': 'x-trace-id',
}

/** Fetch refuses to set these, or sets them itself; HTTP clients decide about them. */
const ofTransport = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const leftOut = [...leftOutHeaders, correlationHeaders].flatMap(({ names }) => names)

it.each(leftOut.filter((name) => !ofTransport.has(name) && name !== 'sec-fetch-*'))('leaves out %s', async (pattern) => {
  const name = examples[pattern] ?? pattern
  expect(name).not.toContain('*')
  const send = clients['undici.request'] ?? overHttp
  const { trace } = await recordRun(() => send({ [name]: 'one' }))
  expect((await replay(trace, () => send({ [name]: 'other' }))).divergences).toEqual([])
  expect((await replay(trace, () => send({}))).divergences).toEqual([])
})

it('compares a correlation id that the run drew, and leaves out one from outside', async () => {
  let count = 0
  const send = clients['fetch'] ?? overHttp
  const agent = (drawn: boolean) => async () => await send({ 'x-request-id': drawn ? crypto.randomUUID() : `req-${(count += 1)}` })
  const { trace: drawn } = await recordRun(agent(true))
  expect((await replay(drawn, agent(true))).divergences).toEqual([])
  expect((await replay(drawn, agent(false))).divergences).toMatchObject([{ step: 1, parts: ['headers'] }])
  const { trace: counted } = await recordRun(agent(false))
  expect((await replay(counted, agent(false))).divergences).toEqual([])
})

it('compares an idempotency key that is called a request id', async () => {
  const send = clients['fetch'] ?? overHttp
  const { trace } = await recordRun(() => send({ 'paypal-request-id': 'refund-1' }))
  expect((await replay(trace, () => send({ 'paypal-request-id': 'refund-2' }))).divergences).toMatchObject([{ parts: ['headers'] }])
})

it('compares a left-out header that the recorder names', async () => {
  const send = clients['fetch'] ?? overHttp
  const { trace } = await recordRun(() => send({ 'User-Agent': 'one' }), { recorder: { compareHeaders: ['User-Agent'] } })
  expect(trace.header.compareHeaders).toEqual(['user-agent'])
  expect((await replay(trace, () => send({ 'user-agent': 'other' }))).divergences).toMatchObject([{ step: 1, parts: ['headers'] }])
  const { trace: fetched } = await recordRun(() => send({}), { recorder: { compareHeaders: ['sec-fetch-mode', 'accept', 'user-agent'] } })
  expect((await replay(fetched, () => send({}))).divergences).toEqual([])
})

it('leaves out a header by its path, and by its name', async () => {
  const send = clients['fetch'] ?? overHttp
  const { trace } = await recordRun(() => send({ 'x-deployment': 'one', 'x-tenant': 'a' }))
  const agent = (): Promise<unknown> => send({ 'x-deployment': 'other', 'x-tenant': 'a' })
  for (const options of [{ ignore: ['headers["x-deployment"]'] }, { headers: { ignore: ['X-Deployment', 'x-unsent'] } }]) {
    const run = await replay(trace, agent, options)
    expect([run.divergences, run.unmatchedPaths]).toEqual([[], []])
  }
  await expect(replay(trace, agent, { headers: { ignore: 'x-deployment' as never } })).rejects.toThrow(
    'replay: the option "headers" has to be { ignore: [\'x-name\'] }, got {"ignore":"x-deployment"}.',
  )
})

it('compares what a trace of format 2 lists, and no more', async () => {
  const send = clients['fetch'] ?? overHttp
  const { trace } = await recordRun(() => send({ 'anthropic-version': '2023-06-01' }))
  const [header, ...rows] = trace.rows
  const earlier = toGoldenTrace({ ...trace, rows: [{ ...trace.header, ...header, format: 2 } as typeof trace.header, ...rows] })
  const agent = (version: string) => async () => await send({ 'anthropic-version': version, 'x-tenant': 'b', authorization: 'Bearer x' })
  expect((await replay(earlier, agent('2023-06-01'))).divergences).toEqual([])
  expect((await replay(earlier, agent('2026-10-21'))).divergences).toMatchObject([{ step: 1, parts: ['headers'] }])
})

it('leaves out a correlation id that the recorded run did not send', async () => {
  const send = clients['fetch'] ?? overHttp
  const { trace } = await recordRun(() => send({}))
  expect((await replay(trace, () => send({ 'x-client-request-id': 'request-4711' }))).divergences).toEqual([])
})

it('compares how a fetch handles redirects', async () => {
  const moved = await listen(async ({ url }, response) => {
    if (url === '/here') response.end('here')
    else response.writeHead(302, { location: '/here' }).end()
  })
  const get = (redirect?: RequestRedirect) => async (): Promise<string> => {
    const init = redirect === undefined ? {} : { redirect }
    return await fetch(`${moved.url}/moved`, init).then(async (response) => `${response.status} ${await response.text()}`, String)
  }
  try {
    for (const recorded of [undefined, 'follow', 'manual', 'error'] as const) {
      const { trace } = await recordRun(get(recorded))
      for (const made of [undefined, 'follow', 'manual', 'error'] as const) {
        const { divergences } = await replay(toGoldenTrace(trace), get(made))
        const found = divergences.map(({ step, cause, parts }) => [step, cause, ...parts])
        const isSame = (recorded ?? 'follow') === (made ?? 'follow')
        expect(found, `${recorded} ${made}`).toEqual(isSame ? [] : [[1, 'input', 'redirect']])
      }
    }
  } finally {
    await moved.close()
  }
})
