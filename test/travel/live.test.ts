import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { external, tool } from '../../src/index.ts'
import { fork, replay } from '../../src/replay.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { ask, expectClean, openai, provider, setUpLiveForks } from '../support/live-forks.ts'

setUpLiveForks()

/** A server of the agent's own, which counts and answers by path. */
const seen: { path: string; body: string }[] = []

const closed: string[] = []

const server = await listen(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const path = request.url ?? ''
  seen.push({ path, body })
  await answers[path]?.(response)
  if (!response.writableEnded) response.end(`{"path":"${path}"}`)
})

afterAll(() => server.close())

const answers: Record<string, (response: ServerResponse) => Promise<void> | void> = {
  '/endless': async (response) => {
    response.write('first')
    await once(response, 'close')
    closed.push('/endless')
  },
  '/key': async (response) => {
    for (const piece of ['the key is sk-proj', '-abcdefghijklmnopqrstuvwxyz', '0123456789ABCDEFGHIJ', ' keep it']) {
      response.write(piece)
      await sleep(5)
    }
    response.end()
  },
  '/bytes': (response) => void response.end(Buffer.from('fffe0080c3287b', 'hex')),
  '/slow': async (response) => {
    response.write('a')
    await sleep(120)
    response.write('b')
    await sleep(120)
    response.end('c')
  },
}

const get = async (path: string, init?: RequestInit): Promise<string> => (await fetch(`${server.url}${path}`, init)).text()

function textOf({ rows }: Trace): string {
  const encoder = createEncoder()
  return rows.flatMap((row) => encoder.encode(row)).join('\n')
}

it('lets a stream that is open at the step arrive when it is due', async () => {
  const agent = async (): Promise<unknown> => {
    const slow = get('/slow')
    const order: string[] = []
    void slow.then(() => order.push('stream'))
    order.push(await ask('first'))
    await sleep(20)
    order.push('slept')
    await slow
    return order
  }
  const { trace, output } = await recordRun(agent)
  const before = seen.length
  const run = await fork(trace, agent, { at: { turn: 1 }, edit: { answer: 'edited' } })
  expect(output).toMatchObject([expect.any(String), 'slept', 'stream'])
  expect(run.outcome).toEqual({ status: 'returned', output: ['edited', 'slept', 'stream'] })
  expect(seen.length).toBe(before)
  await expectClean(run.toTrace(), agent)
})

it('aborts a live call with the agent, at the provider', async () => {
  const agent = async (signal: { path: string }): Promise<string> => {
    await get('/start')
    const controller = new AbortController()
    const response = await fetch(`${server.url}${signal.path}`, { signal: controller.signal })
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    controller.abort()
    return new TextDecoder().decode(value)
  }
  const { trace } = await recordRun(agent, { input: { path: '/endless' } })
  closed.length = 0
  const run = await fork(trace, agent, { at: 2, route: { http: 'live' } })
  expect(run.outcome).toEqual({ status: 'returned', output: 'first' })
  await expect.poll(() => closed).toEqual(['/endless'])
  await expectClean(run.toTrace(), agent)
})

it('redacts what arrives live, across pieces, as a recording is', async () => {
  const agent = async (): Promise<number> => (await get('/start')).length + (await get('/key')).length
  const { trace } = await recordRun(agent)
  const run = await fork(trace, agent, { at: 2, route: { http: 'live' } })
  const text = textOf(run.toTrace())
  expect(text).toContain('the key is')
  expect(text).toContain('keep it')
  expect(text).not.toMatch(/abcdefghij|0123456789AB/)
  expect(JSON.stringify(run.steps)).not.toMatch(/abcdefghij|0123456789AB/)
})

it('keeps an answer of bytes, whatever they are', async () => {
  await using directory = await createTemporaryDirectory()
  const agent = async (): Promise<string> => Buffer.from(await (await fetch(`${server.url}/bytes`)).arrayBuffer()).toString('hex')
  const { trace } = await recordRun(agent)
  const options = { at: 1, route: { http: 'live' }, cache: directory.resolve('cache'), clock: 'virtual' } as const
  const first = await fork(trace, agent, options)
  const before = seen.length
  const second = await fork(trace, agent, options)
  expect([first.outcome, second.outcome]).toEqual([1, 2].map(() => ({ status: 'returned', output: 'fffe0080c3287b' })))
  expect(seen.length).toBe(before)
})

it('keeps no secret of an edit in the trace of the fork', async () => {
  const key = `sk-proj-${'abcdefghij0123456789'.repeat(2)}`
  const agent = async (question: string): Promise<string> => `${await get('/start')} ${await ask(question)}`
  const { trace } = await recordRun(agent, { input: 'hello' })
  const run = await fork(trace, agent, {
    at: 1,
    edit: { answer: { status: 200, text: `key ${key}` }, input: `mail to jane.doe@customer.com ${key}` },
    answers: { model: 'ok' },
  })
  expect(run.outcome).toEqual({ status: 'returned', output: `key ${key} ok` })
  expect(textOf(run.toTrace())).not.toMatch(/abcdefghij|jane\.doe/)
})

it('sends no stand-in to a live model, but the real value where it is given', async () => {
  const agent = async ({ email }: { email: string }): Promise<string> => `${await ask('hello')} ${await ask(`Write to ${email}.`)}`
  const { trace } = await recordRun(agent, { input: { email: 'jane.doe@customer.com' } })
  const { email } = trace.header.input as { email: string }
  const asked = provider.exchanges.length
  const run = await fork(trace, agent, { at: { turn: 2 }, then: 'live' })
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { reason: expect.stringContaining(`standIns: { "${email}"`) } })
  expect(provider.exchanges.length).toBe(asked)
  const real = await fork(trace, agent, { at: { turn: 2 }, then: 'live', standIns: { [email]: 'jane.doe@customer.com' } })
  expect(real.outcome.status).toBe('returned')
  expect(JSON.stringify(provider.exchanges.at(-1)?.body)).toContain('Write to jane.doe@customer.com.')
  expect(textOf(real.toTrace())).not.toContain('jane.doe')
  const sent = await fork(trace, agent, { at: { turn: 2 }, then: 'live', standIns: 'send' })
  expect(sent.outcome.status).toBe('returned')
})

it('shows the real time from the step on, on request', async () => {
  const agent = async (): Promise<number[]> => {
    const first = Date.now()
    await ask('one')
    return [first, (await ask('two')).length, Date.now()]
  }
  const { trace } = await recordRun(agent)
  await sleep(50)
  const before = Date.now()
  const run = await fork(trace, agent, { at: { turn: 2 }, then: 'live', clock: 'now' })
  const [first, , last] = (run.outcome as { output: number[] }).output
  expect(first).toBeLessThan(before)
  expect(last).toBeGreaterThanOrEqual(before - 1)
  expect(last).toBeLessThanOrEqual(Date.now() + 1)
  await expectClean(run.toTrace(), agent)
})

it('draws ids by the seed from the step on, and those of production before it', async () => {
  const agent = async (): Promise<unknown> => [randomUUID(), (await ask('one')).length, randomUUID()]
  const { trace, output } = await recordRun(agent)
  const ids = async (seed: number): Promise<unknown[]> => {
    const run = await fork(trace, agent, { at: 1, edit: { answer: 'x' }, seed })
    return (run.outcome as { output: unknown[] }).output
  }
  const [one, same, other] = [await ids(1), await ids(1), await ids(2)]
  expect(one[0]).toBe((output as unknown[])[0])
  expect(one[2]).not.toBe((output as unknown[])[2])
  expect(same).toEqual(one)
  expect(other[2]).not.toBe(one[2])
})

it('draws the same behind a live stream when it is replayed, however the SDK ends the stream', async () => {
  const stream = async (content: string): Promise<string> => {
    const messages = [{ role: 'user' as const, content }]
    let text = ''
    for await (const { choices } of await openai.chat.completions.create({ model: 'gpt-4.1', messages, stream: true })) {
      text += choices[0]?.delta.content ?? ''
    }
    return text
  }
  const agent = async (): Promise<unknown> => [await stream('one'), randomUUID(), await stream('two'), randomUUID(), Date.now()]
  const { trace } = await recordRun(agent)
  for (const clock of ['virtual', 'real'] as const) {
    const run = await fork(trace, agent, { at: { turn: 2 }, then: 'live', clock })
    const again = await replay(run.toTrace(), agent)
    expect([again.divergences, again.outcome]).toEqual([[], run.outcome])
  }
})

it('counts turns without retries', async () => {
  let failures = 1
  const flaky = await startProvider({ script: () => ((failures -= 1) >= 0 ? { status: 503 } : { text: 'ok' }) })
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: flaky.openaiBaseUrl, maxRetries: 2 })
  const agent = async (): Promise<string[]> => [await ask('a', client), await ask('b', client), await ask('c', client)]
  const { trace } = await recordRun(agent)
  await flaky.close()
  expect(trace.steps).toHaveLength(4)
  const run = await fork(trace, agent, { at: { turn: 2 }, edit: { answer: 'edited' } })
  expect(run.outcome).toEqual({ status: 'returned', output: ['ok', 'edited', 'ok'] })
})

it('makes no live call when the agent makes a different call before the step', async () => {
  const agent = async (extra: boolean): Promise<string> => {
    await ask('one')
    if (extra) await ask('extra')
    await ask('two')
    return ask('three')
  }
  const { trace } = await recordRun(() => agent(false))
  const asked = provider.exchanges.length
  for (const prefix of ['strict', 'keep'] as const) {
    const run = await fork(trace, () => agent(true), { at: { turn: 3 }, then: 'live', prefix })
    expect(run.outcome).toMatchObject({ status: 'stopped' })
  }
  expect(provider.exchanges.length).toBe(asked)
})

it('keeps recorded answers for changed prompts before the step, and lists them, but no changed write', async () => {
  const write = tool('write', { effect: 'write' }, async (text: string) => text)
  const agent = async ({ prompt, written }: { prompt: string; written: string }): Promise<string[]> => [
    await ask(prompt),
    await write(written),
    await ask(`${prompt} again`),
  ]
  const { trace, output } = await recordRun(agent, { input: { prompt: 'old', written: 'w' } })
  const run = await fork(trace, agent, {
    at: { turn: 2 },
    prefix: 'keep',
    edit: { answer: 'edited', input: { prompt: 'new', written: 'w' } },
  })
  expect(run.outcome).toEqual({ status: 'returned', output: [output[0], 'w', 'edited'] })
  expect(run.divergences.map(({ cause, step }) => [cause, step])).toEqual([['input', 1]])
  const changed = await fork(trace, agent, {
    at: { turn: 2 },
    prefix: 'keep',
    edit: { answer: 'edited', input: { prompt: 'new', written: 'other' } },
  })
  expect(changed.outcome).toMatchObject({ status: 'stopped' })
})

it('means the tool by a step in a tool that does not run', async () => {
  const inner = external('inner', async (x: number) => x + 1)
  const outer = tool('outer', { effect: 'read' }, async (x: number) => inner(x))
  const agent = async (): Promise<number[]> => [await outer(1), await outer(5)]
  const { trace } = await recordRun(agent)
  const step = trace.steps.findLast(({ name }) => name === 'inner')?.step ?? 0
  const run = await fork(trace, agent, { at: step, edit: { answer: 40 } })
  expect(run.outcome).toEqual({ status: 'returned', output: [2, 40] })
})

it('sends no stand-in for a key, and calls no host that the recording did not', async () => {
  const client = new OpenAI({ apiKey: 'goldenrun-stand-in', baseURL: provider.openaiBaseUrl, maxRetries: 0 })
  const agent = async (): Promise<string> => ask('one', client)
  const { trace } = await recordRun(agent)
  const asked = provider.exchanges.length
  const run = await fork(trace, agent, { at: 1, then: 'live' })
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { reason: expect.stringContaining('authorization is a stand-in') } })
  const other = await startProvider({ script: () => ({ text: 'other' }) })
  const elsewhere = async (): Promise<string> => ask('one', new OpenAI({ apiKey: 'sk-x', baseURL: other.openaiBaseUrl, maxRetries: 0 }))
  const refused = await fork(trace, elsewhere, { at: 1, then: 'live' })
  const host = new URL(other.url).host
  expect(refused.outcome).toMatchObject({ status: 'stopped', divergence: { reason: expect.stringContaining(`allowHost: ['${host}']`) } })
  expect(other.exchanges).toHaveLength(0)
  const allowed = await fork(trace, elsewhere, { at: 1, then: 'live', allowHost: [host] })
  expect(allowed.outcome).toEqual({ status: 'returned', output: 'other' })
  expect(provider.exchanges.length).toBe(asked)
  await other.close()
})

it('runs no tool live whose effect is not known', async () => {
  let ran = 0
  const unknown = tool('unknown', {}, async (x: number) => ((ran += 1), x))
  const agent = async (x: number): Promise<unknown> => [await ask('one'), await unknown(x)]
  const { trace } = await recordRun(agent, { input: 1 })
  const before = ran
  const run = await fork(trace, () => agent(2), { at: 2, then: 'live' })
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { name: 'unknown' } })
  expect(ran).toBe(before)
})
