import Anthropic from '@anthropic-ai/sdk'
import axios from 'axios'
import OpenAI from 'openai'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { checkpoint, tool } from '../../src/index.ts'
import { replay } from '../../src/replay.ts'
import { renderReport } from '../../src/divergence/report.ts'
import type { Divergence } from '../../src/divergence/divergence.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

/** How long the world takes for each answer of this file, in milliseconds. */
const TAKES = 60

let world: LocalServer

beforeAll(async () => {
  world = await listen(async (incoming, response) => {
    const pieces = incoming.url?.startsWith('/stream') === true ? 4 : 1
    if (pieces > 1) response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
    for (let piece = 1; piece <= pieces; piece += 1) {
      await sleep(TAKES / pieces)
      response.write(`piece ${piece} of ${incoming.url}\n`)
    }
    response.end()
  })
})
afterAll(() => world.close())

const get = async (path: string, init?: RequestInit): Promise<string> => (await fetch(`${world.url}/${path}`, init)).text()
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const lookUp = tool('look_up', { effect: 'read' }, async (id: string) => {
  await sleep(TAKES)
  return `found ${id}`
})
const refund = tool('refund', { effect: 'write' }, async (id: string) => `refunded ${id}`)

const plain = { color: false, width: 200 }

/** An agent that is given how long it waits at the place that a test is about. */
type Agent = (limit: number) => unknown

async function record(agent: Agent, limit: number): Promise<Trace> {
  const { trace } = await recordRun(() => agent(limit))
  await expectClean(trace, () => agent(limit))
  return trace
}

const first = ({ cause, step, position }: Divergence): object => ({ cause, step, position })

async function tryAgain(limit: number, backoff: number): Promise<string> {
  const order = await lookUp('order')
  for (;;) {
    const answer = await Promise.race([lookUp('page'), pause(limit)])
    if (answer !== undefined) return order + answer
    await pause(backoff)
  }
}

/** Aborts its second call by whatever a client has for that. */
const limited = {
  async 'AbortSignal.timeout'(limit: number): Promise<string> {
    const order = await lookUp('order')
    return order + (await get('page', { signal: AbortSignal.timeout(limit) }))
  },
  async 'an AbortController with a timer'(limit: number): Promise<string> {
    const order = await lookUp('order')
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), limit)
    try {
      return order + (await get('page', { signal: controller.signal }))
    } finally {
      clearTimeout(timer)
    }
  },
  async 'any of two signals'(limit: number): Promise<string> {
    const order = await lookUp('order')
    return order + (await get('page', { signal: AbortSignal.any([AbortSignal.timeout(60_000), AbortSignal.timeout(limit)]) }))
  },
  async 'Promise.race with a timer that rejects'(limit: number): Promise<string> {
    const order = await lookUp('order')
    const late = new Promise<never>((_resolve, reject) => void setTimeout(() => reject(new Error('too late')), limit))
    return order + (await Promise.race([lookUp('page'), late]))
  },
  async 'Promise.race with a sleep in the first place'(limit: number): Promise<string> {
    const order = await lookUp('order')
    return order + String(await Promise.race([pause(limit), get('page')]))
  },
  async 'Promise.race with timers/promises'(limit: number): Promise<string> {
    const order = await lookUp('order')
    return order + String(await Promise.race([get('page'), sleep(limit)]))
  },
  async 'a race that nobody minds'(limit: number): Promise<string> {
    const order = await lookUp('order')
    await Promise.race([get('page'), pause(limit)])
    checkpoint('told', { order })
    return order
  },
  async 'a stream that is aborted while it is read'(limit: number): Promise<string> {
    const order = await lookUp('order')
    return order + (await get('stream', { signal: AbortSignal.timeout(limit) }))
  },
  async "axios's timeout"(limit: number): Promise<string> {
    const order = await lookUp('order')
    const { data } = await axios.get<string>(`${world.url}/page`, { timeout: limit, proxy: false })
    return order + data
  },
  'a race, and a pause before it is tried again': (limit: number): Promise<string> => tryAgain(limit, 5),
  'a race, and a longer pause than the call takes before it is tried again': (limit: number): Promise<string> => tryAgain(limit, 500),
} satisfies Record<string, Agent>

const recordings = new Map<Agent, Promise<Trace>>()

/** Records an agent with a long limit, once for all tests. */
function recordLimited(agent: Agent): Promise<Trace> {
  const recorded = recordings.get(agent) ?? record(agent, 60_000)
  recordings.set(agent, recorded)
  return recorded
}

it.each(Object.entries(limited))('finds a shorter limit at the call that it limits: %s', async (_by, agent) => {
  const trace = await recordLimited(agent)
  const run = await replay(trace, () => agent(20))
  const [divergence, ...others] = run.divergences
  expect(divergence && first(divergence)).toEqual({ cause: 'time-limit', step: 2, position: 'at' })
  const took = (trace.steps[1]?.settledAt ?? 0) - (trace.steps[1]?.at ?? 0)
  expect(divergence?.expected).toEqual({ took })
  expect(divergence?.received).toEqual({ limit: 20, after: 20 })
  for (const other of others) expect(other.consequence).toBe(true)
  expect(renderReport(run, plain)).toContain(`a limit of 20 ms on a call that took ${Math.round(took)} ms`)
})

it.each(Object.entries(limited))('lets a longer limit and a shorter one that suffices pass: %s', async (_by, agent) => {
  const trace = await recordLimited(agent)
  expect((await replay(trace, () => agent(120_000))).divergences).toEqual([])
  expect((await replay(trace, () => agent(10_000))).divergences).toEqual([])
})

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

it.each<[string, Agent, number, number]>([
  [
    'a sleep beside a call',
    async (ms) => {
      const [page] = await Promise.all([get('page'), ...(ms > 0 ? [pause(ms)] : [])])
      return page
    },
    0,
    10,
  ],
  [
    'a sleep in a branch beside another',
    async (ms) => {
      const branch = async (): Promise<string> => {
        await refund('one')
        if (ms > 0) await pause(ms)
        return refund('two')
      }
      return Promise.all([get('page'), branch()])
    },
    0,
    10,
  ],
  [
    'shorter pauses beside a call',
    async (ms) => {
      const branch = async (): Promise<string> => {
        await refund('one')
        await pause(ms)
        await pause(ms)
        return lookUp('two')
      }
      return Promise.all([get('page'), branch()])
    },
    TAKES + 20,
    1,
  ],
  [
    'a shorter pause before a call with a limit',
    async (ms) => {
      await lookUp('one')
      await pause(ms)
      return get('page', { signal: AbortSignal.timeout(200) })
    },
    400,
    1,
  ],
  [
    'a longer pause before a call with a limit',
    async (ms) => {
      await lookUp('one')
      await pause(ms)
      return get('page', { signal: AbortSignal.timeout(200) })
    },
    1,
    400,
  ],
  [
    'a limit that is left running',
    async (ms) => {
      const { promise, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(new Error('late')), ms)
      promise.catch(() => undefined)
      const page = await Promise.race([get('page'), promise])
      if (ms === 60_000) clearTimeout(timer)
      return page + (await get('other'))
    },
    60_000,
    TAKES + 30,
  ],
])('stays green: %s', async (_what, agent, recorded, replayed) => {
  const trace = await record(agent, recorded)
  expect((await replay(trace, () => agent(replayed))).divergences).toEqual([])
})

it.each([
  ['cleared', true],
  ['left running', false],
])('keeps unchanged code green whose limit only seems shorter than its call, since the process was busy: %s', async (_what, clears) => {
  const agent = async (): Promise<unknown> => {
    const page = lookUp('page')
    keepBusy(TAKES / 2)
    const { promise, resolve } = Promise.withResolvers<string>()
    const timer = setTimeout(() => resolve('late'), TAKES - 10)
    const answer = await Promise.race([page, promise])
    if (clears) clearTimeout(timer)
    return answer
  }
  const trace = await record(agent, 0)
  expect((await replay(trace, agent)).divergences).toEqual([])
  expect((await replay((await replay(trace, agent)).toTrace(), agent)).divergences).toEqual([])
})

function keepBusy(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until) continue
}

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
  expect(divergence).toMatchObject({ cause: 'time-limit', step: 2, position: 'at', site: { file: 'test/replay/time-limits.test.ts' } })
  for (const other of others) expect(other.consequence).toBe(true)
  expect(renderReport(run, plain)).toMatch(/The agent is still waiting for this answer, but the recorded run gave up after \d+ ms\./)
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

it('names the line of the limited call, where lines are looked for', async () => {
  const agent = (init: RequestInit): Promise<string> => get('page', init)
  const { trace } = await recordRun(() => agent({}))
  const run = await replay(trace, () => agent({ signal: AbortSignal.timeout(10) }), { traceCallSites: true })
  expect(run.divergences[0]).toMatchObject({ cause: 'time-limit', site: { file: 'test/replay/time-limits.test.ts' } })
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
