import { http, HttpResponse } from 'msw'
import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../../examples/world/provider.ts'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { fork } from '../../../src/travel/fork.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'

const look = tool('look', { effect: 'read' }, async (order: string) => ({ order, status: 'packed' }))
const refund = tool('refund', { effect: 'write' }, async (order: string) => ({ order }))
const find = tool('find', {}, async (order: string): Promise<unknown> => order)
const query = external('query', async (what: string): Promise<unknown> => what)

const server = await listen(async (_request, response) => void response.end('{"known":true}'))
afterAll(() => server.close())
const get = async (path: string): Promise<unknown> => (await fetch(`${server.url}${path}`)).json()
const { trace } = await recordRun(async () => [await look('ord_1'), await get('/known'), await refund('ord_1')])
await server.close()

it('refuses an option that it does not know, or of a wrong value', async () => {
  // @ts-expect-error an unknown option
  await expect(replay(trace, () => 1, { tool: 'run' })).rejects.toMatchObject({
    code: 'GOLDENRUN_OPTIONS',
    message: expect.stringContaining('tool'),
  })
  // @ts-expect-error a wrong value
  await expect(replay(trace, () => 1, { onDivergence: 'ignore' })).rejects.toThrow('has to be "stop" or "continue", got "ignore"')
  // @ts-expect-error an unknown option
  await expect(fork(trace, () => 1, { att: 2 })).rejects.toMatchObject({ code: 'GOLDENRUN_OPTIONS' })
})

it('refuses a trace of another agent', async () => {
  await expect(replay(trace, () => 1, { agent: 'other' })).rejects.toMatchObject({
    code: 'GOLDENRUN_OTHER_AGENT',
    message: expect.stringContaining('not of "other"'),
  })
  expect((await replay(trace, () => [], { agent: 'agent' })).trace).toBe(trace)
})

it('gives the agent the recorded input, a copy of its own, and the context', async () => {
  const given = { ticket: 'tic_1', at: new Date(0), list: [1] }
  const { trace: recorded } = await recordRun((input: typeof given) => input.list.length, { input: given })
  const seen: unknown[] = []
  const agent = (input: typeof given, context: unknown): number => {
    seen.push([input.ticket, input.at, context])
    return input.list.push(2)
  }
  for (let time = 0; time < 2; time += 1) await replay(recorded, agent, { context: 'a client' })
  expect(seen).toEqual([
    ['tic_1', new Date(0), 'a client'],
    ['tic_1', new Date(0), 'a client'],
  ])
})

it('answers calls that the trace does not have, by name, with values and functions', async () => {
  const run = await replay(
    trace,
    async () => [
      await look('ord_1'),
      await find('ord_1'),
      await query('x'),
      await get('/known'),
      await get('/other'),
      await refund('ord_1'),
    ],
    { answers: { find: (order: string) => `found ${order}`, query: { rows: [] }, [new URL(server.url).host]: { other: true } } },
  )
  expect(run.outcome).toEqual({
    status: 'returned',
    output: [{ order: 'ord_1', status: 'packed' }, 'found ord_1', { rows: [] }, { known: true }, { other: true }, { order: 'ord_1' }],
  })
  expect(run.divergences.map(({ cause, step, name }) => [cause, step, name]).slice(0, 3)).toEqual([
    ['unexpected-call', 1, 'find'],
    ['unexpected-call', 1, 'query'],
    ['unexpected-call', 2, new URL(server.url).host],
  ])
})

it('answers with errors that an answer throws, with statuses and with responses', async () => {
  const host = new URL(server.url).host
  const ask = async (): Promise<unknown> => {
    const answer = await fetch(`${server.url}/other`)
    return [answer.status, answer.headers.get('x-kind'), await answer.text()]
  }
  const answers: unknown[] = [
    { status: 404, headers: { 'x-kind': 'spelled' }, text: 'none' },
    { status: 201, json: { made: true } },
    () => new Response('made', { status: 202, headers: { 'x-kind': 'response' } }),
  ]
  const outputs = []
  for (const answer of answers) outputs.push((await fork(trace, ask, { answers: { [host]: answer } })).outcome)
  expect(outputs).toEqual([
    { status: 'returned', output: [404, 'spelled', 'none'] },
    { status: 'returned', output: [201, null, '{"made":true}'] },
    { status: 'returned', output: [202, 'response', 'made'] },
  ])
  const failing = await fork(trace, () => find('x').catch((error: Error) => error.message), {
    answers: {
      find: () => {
        throw new Error('not today')
      },
    },
  })
  expect(failing.outcome).toEqual({ status: 'returned', output: 'not today' })
})

it('answers with MSW handlers what the trace does not have', async () => {
  const handlers = [
    http.get(`${server.url}/known`, () => HttpResponse.json({ known: 'by the handler' })),
    http.post(`${server.url}/other`, async ({ request }) => HttpResponse.json({ sent: await request.json() }, { status: 201 })),
  ]
  const run = await fork(
    trace,
    async () => {
      const order = await look('ord_1')
      const known = await get('/known')
      const other = await fetch(`${server.url}/other`, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })
      return [order, known, other.status, await other.json()]
    },
    { handlers },
  )
  expect(run.outcome).toEqual({
    status: 'returned',
    output: [{ order: 'ord_1', status: 'packed' }, { known: true }, 201, { sent: { a: 1 } }],
  })
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 2, position: 'after' })
})

it('stops at a request that no handler answers', async () => {
  const handlers = [http.get(`${server.url}/other`, () => HttpResponse.json({ other: true }))]
  const agent = async (): Promise<unknown> => [await look('ord_1'), await get('/other'), await get('/none').catch(() => 'swallowed')]
  for (const replaying of [fork, replay] as readonly (typeof replay)[]) {
    const run = await replaying(trace, agent, { handlers })
    expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'unexpected-call' } })
  }
})

it('follows the trace, and continues past it with the given answers', async () => {
  const run = await fork(
    trace,
    async () => {
      const order = await look('ord_1')
      return [order, await find('ord_1'), await query('more')]
    },
    { answers: { find: 'found', query: 'more' } },
  )
  expect(run.outcome).toEqual({ status: 'returned', output: [{ order: 'ord_1', status: 'packed' }, 'found', 'more'] })
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 1, name: 'find' })
})

it('forks with another input', async () => {
  const agent = async (input: string): Promise<unknown> => find(input)
  const { trace: found } = await recordRun(agent, { input: 'ord_1' })
  const run = await fork(found, agent, { input: 'ord_2', answers: { find: (order: string) => `found ${order}` } })
  expect(run.outcome).toEqual({ status: 'returned', output: 'found ord_2' })
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})

it('stops a fork at a call without an answer', async () => {
  const run = await fork(trace, async () => find('ord_1'))
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'unexpected-call', name: 'find' } })
})

it('takes another model only where both names are said', async () => {
  const provider = await startProvider({ script: [{ text: 'Hello.' }] })
  const ask = async (model: string): Promise<unknown> => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] })
    const answer = await fetch(`${provider.openaiBaseUrl}/chat/completions`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    return (await answer.json()).choices[0].message.content
  }
  const { trace: asked } = await recordRun(() => ask('gpt-4.1'))
  await provider.close()
  const refused = await replay(asked, () => ask('gpt-5'))
  expect(refused.divergences[0]).toMatchObject({
    cause: 'model-drift',
    step: 1,
    parts: ['model'],
    differences: [{ path: 'model', expected: 'gpt-4.1', received: 'gpt-5' }],
  })
  const other = await replay(asked, () => ask('gpt-5'), { allowModelDrift: [{ from: 'gpt-4', to: 'gpt-5' }] })
  expect(other.divergences).toHaveLength(1)
  const allowed = await replay(asked, () => ask('gpt-5'), { allowModelDrift: [{ from: 'gpt-4.1', to: 'gpt-5' }] })
  expect([allowed.divergences, allowed.outcome]).toEqual([[], { status: 'returned', output: 'Hello.' }])
})

it('takes another base URL of a model as no difference', async () => {
  const provider = await startProvider({ script: [{ text: 'Hello.' }] })
  const ask = async (base: string): Promise<number> => {
    const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] })
    return (await fetch(`${base}/chat/completions`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })).status
  }
  const { trace: asked } = await recordRun(() => ask(provider.openaiBaseUrl))
  await provider.close()
  const run = await replay(asked, () => ask('https://gateway.example.com/openai/v1'))
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 200 }])
})
