import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { replay } from '../../src/replay.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import {
  TAKES,
  busyProcessCases,
  get,
  greenPausesCases,
  limitedAgents,
  lookUp,
  pause,
  plain,
  record,
  refund,
  setUpLimitedCalls,
  testBusyProcess,
  testGreenPauses,
  testLongerLimit,
  testShorterLimit,
  world,
} from '../support/limited-calls.ts'

setUpLimitedCalls()

testShorterLimit(limitedAgents.slice(0, 3))

testLongerLimit(limitedAgents.slice(0, 3))

it('finds a limit on a call that had none', async () => {
  const agent = (init: RequestInit): Promise<string> => get('page', init)
  const { trace } = await recordRun(() => agent({}))
  const run = await replay(trace, () => agent({ signal: AbortSignal.timeout(10) }))
  expect(run.divergences[0]).toMatchObject({ cause: 'time-limit', step: 1, received: { limit: 10, after: 10 } })
})

it.each([
  ['OpenAI', (baseURL: string, timeout: number) => askOpenAI(baseURL, timeout)],
  ['Anthropic', (baseURL: string, timeout: number) => askAnthropic(baseURL, timeout)],
])("takes the retries of %s's SDK for consequences of its timeout", async (_name, ask) => {
  await using provider = await startProvider({ script: [{ text: 'Hello.', delayMs: TAKES }] })
  const { trace } = await recordRun(() => ask(provider.url, 60_000))
  const run = await replay(trace, () => ask(provider.url, 10))
  expect(run.divergences.map(({ cause, consequence }) => [cause, consequence])).toEqual([
    ['time-limit', false],
    ['unexpected-call', true],
  ])
})

async function askOpenAI(url: string, timeout: number): Promise<unknown> {
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, timeout, maxRetries: 1 })
  return (await client.chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello?' }] })).choices[0]
}

async function askAnthropic(url: string, timeout: number): Promise<unknown> {
  const client = new Anthropic({ apiKey: 'sk-test', baseURL: url, timeout, maxRetries: 1 })
  return (await client.messages.create({ model: 'claude-sonnet-4-5', max_tokens: 99, messages: [{ role: 'user', content: 'Hello?' }] }))
    .content
}

it('names the call whose limit ran out, of several that are under way', async () => {
  const agent = (limits: readonly number[]): Promise<string[]> =>
    Promise.all(limits.map((limit, index) => get(`page-${index}`, { signal: AbortSignal.timeout(limit) })))
  const { trace } = await recordRun(() => agent([60_000, 60_000, 60_000]))
  const run = await replay(trace, () => agent([60_000, 10, 60_000]))
  expect(run.divergences[0]).toMatchObject({ cause: 'time-limit', step: 2 })

  const race = (limits: readonly number[]): Promise<unknown[]> =>
    Promise.all(
      limits.map((limit, index) => Promise.race([lookUp(`page-${index}`), pause(limit).then(() => Promise.reject(new Error('late')))])),
    )
  const raced = await recordRun(() => race([60_000, 60_000, 60_000]))
  expect((await replay(raced.trace, () => race([60_000, 10, 60_000]))).divergences[0]).toMatchObject({ cause: 'time-limit', step: 2 })
})

it('takes no pause for a limit on a call that was made long before it', async () => {
  const agent = async (changes: boolean): Promise<string> => {
    const page = get('page')
    await refund('one')
    if (changes) await pause(300)
    if (changes) await lookUp('four')
    await refund('two')
    return page
  }
  const { trace } = await recordRun(() => agent(false))
  const [divergence] = (await replay(trace, () => agent(true))).divergences
  expect(divergence).toMatchObject({ cause: 'unexpected-call', name: 'look_up' })
})

it('says where in its call a limit of the whole run runs out', async () => {
  const agent = async (limit: number): Promise<string> => {
    const signal = AbortSignal.timeout(limit)
    return (await get('first', { signal })) + (await get('second', { signal }))
  }
  const trace = await record(agent, 60_000)
  const limit = Math.round((trace.steps[1]?.at ?? 0) + TAKES / 2)
  const [divergence] = (await replay(trace, () => agent(limit))).divergences
  expect(divergence).toMatchObject({ cause: 'time-limit', step: 2 })
  expect(divergence?.received).toEqual({ limit, after: expect.closeTo(TAKES / 2, -1.2) })
})

testGreenPauses(greenPausesCases.slice(0, 2))

testBusyProcess(busyProcessCases.slice(0, 1))

it('finds that a call is waited for which the recorded run gave up', async () => {
  const agent = async (limit: number | undefined): Promise<string> => {
    const order = await lookUp('order')
    const signal = limit === undefined ? {} : { signal: AbortSignal.timeout(limit) }
    const page = await get('page', signal).catch(() => 'no page')
    return await lookUp(order + page)
  }
  const { trace } = await recordRun(() => agent(20))
  await expectClean(trace, () => agent(20))
  const run = await replay(trace, () => agent(undefined), { traceCallSites: true })
  const [divergence, ...others] = run.divergences
  expect(divergence).toMatchObject({ cause: 'time-limit', step: 2, position: 'at', site: { file: 'test/support/limited-calls.ts' } })
  for (const other of others) expect(other.consequence).toBe(true)
  expect(renderReport(run, plain)).toMatch(/The agent is still waiting for this answer, but the recorded run gave up after \d+ ms\./)
})

it('finds that a call is only raced which the recorded run gave up by a signal', async () => {
  const agent = async (isCancelled: boolean): Promise<string> => {
    const giveUp = new AbortController()
    const timer = setTimeout(() => giveUp.abort(), 20)
    const asked = isCancelled ? get('page', { signal: giveUp.signal }) : Promise.race([get('page'), pause(20)])
    const page = (await asked.catch(() => undefined)) ?? 'no page'
    clearTimeout(timer)
    return await refund(page)
  }
  const { trace } = await recordRun(() => agent(true))
  await expectClean(trace, () => agent(true))
  const run = await replay(trace, () => agent(false))
  expect(run.divergences).toMatchObject([{ cause: 'time-limit', step: 1, position: 'at' }])
  expect(renderReport(run, plain)).toMatch(/The agent did not give this call up, but the recorded run did after \d+ ms\./)
  // As it was raced when it was recorded.
  const { trace: raced } = await recordRun(() => agent(false))
  await expectClean(raced, () => agent(false))
})

it('takes no call that the recorded run gave up later for the cause, where the agent was stopped before', async () => {
  const agent = async (word: string): Promise<string> => {
    const listening = new AbortController()
    const heard = get('page', { signal: listening.signal }).catch(() => 'left')
    // As clients try again: the agent is stopped while it waits.
    const order = await refund(word).catch(async () => (await pause(TAKES), await refund(word)))
    listening.abort()
    return `${order} ${await heard}`
  }
  const { trace } = await recordRun(() => agent('order'))
  await expectClean(trace, () => agent('order'))
  const { divergences } = await replay(trace, () => agent('parcel'))
  expect(divergences).toMatchObject([{ cause: 'input', step: 2, position: 'at' }])
})

it('names the line where a limit is set', async () => {
  const agent = (init: RequestInit): Promise<string> => get('page', init)
  const { trace } = await recordRun(() => agent({}))
  for (const traceCallSites of [false, true]) {
    const run = await replay(trace, () => agent({ signal: AbortSignal.timeout(10) }), { traceCallSites })
    expect(run.divergences[0]).toMatchObject({ cause: 'time-limit', site: { file: 'test/replay/time-limits.test.ts' } })
  }
})

const every = (ms: number, body: () => unknown): AsyncDisposable => {
  const timer = setInterval(body, ms)
  return { [Symbol.asyncDispose]: async () => clearInterval(timer) }
}

it('makes the calls of an interval that is new, while it waits for an answer', async () => {
  const agent = async (beats: boolean): Promise<string> => {
    await using _ = every(20, () => beats && void get('alive', { method: 'POST' }).catch(() => undefined))
    return await get('page')
  }
  const { trace } = await recordRun(() => agent(false))
  await expectClean(trace, () => agent(false))
  const run = await replay(trace, () => agent(true))
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 1, received: { url: `${world.url}/alive` } })
})

it('lets an interval that only looks tick by', async () => {
  const agent = async (looks: boolean): Promise<string> => {
    let seen = 0
    await using _ = every(looks ? 5 : 1000, () => (seen += 1))
    return await get('page')
  }
  const { trace } = await recordRun(() => agent(false))
  await expectClean(trace, () => agent(true))
})

it('follows an agent that polls for an answer, for as long as the answer takes', async () => {
  const agent = async (polls: boolean): Promise<string> => {
    const pages: string[] = []
    const loading = get('page').then((text) => pages.push(text))
    const poll = async (): Promise<void> => {
      await pause(1)
      if (pages.length === 0) await poll()
    }
    if (polls) await poll()
    await loading
    return pages.join('')
  }
  const { trace } = await recordRun(() => agent(false))
  const slow = {
    ...trace,
    rows: trace.rows.map((row) => (row.kind === 'head' || row.kind === 'return' ? { ...row, at: row.at + 3_600_000 } : row)),
  }
  expect((await replay(slow as Trace, () => agent(true))).divergences).toEqual([])
})
