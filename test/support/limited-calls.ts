import axios from 'axios'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { checkpoint, tool } from '../../src/index.ts'
import { replay } from '../../src/replay.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import type { Divergence } from '../../src/divergence/divergence.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from './record-run.ts'
import { expectClean } from './replay-clean.ts'

/** How long the world takes for each answer of this file, in milliseconds. */
export const TAKES = 60

export let world: LocalServer

export const get = async (path: string, init?: RequestInit): Promise<string> => (await fetch(`${world.url}/${path}`, init)).text()

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export const lookUp: (id: string) => Promise<string> = tool('look_up', { effect: 'read' }, async (id: string) => {
  await sleep(TAKES)
  return `found ${id}`
})

export const refund: (id: string) => Promise<string> = tool('refund', { effect: 'write' }, async (id: string) => `refunded ${id}`)

export const plain = { color: false, width: 200 }

/** An agent that is given how long it waits at the place that a test is about. */
type Agent = (limit: number) => unknown

export async function record(agent: Agent, limit: number): Promise<Trace> {
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

/** Each agent by its way. */
export const limitedAgents: readonly [string, Agent][] = Object.entries(limited)

export function testShorterLimit(cases: readonly (typeof limitedAgents)[number][]): void {
  it.each(cases)('finds a shorter limit at the call that it limits: %s', async (_by, agent) => {
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
}

export function testLongerLimit(cases: readonly (typeof limitedAgents)[number][]): void {
  it.each(cases)('lets a longer limit and a shorter one that suffices pass: %s', async (_by, agent) => {
    const trace = await recordLimited(agent)
    expect((await replay(trace, () => agent(120_000))).divergences).toEqual([])
    expect((await replay(trace, () => agent(10_000))).divergences).toEqual([])
  })
}

export const greenPausesCases: readonly [string, Agent, number, number][] = [
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
]

export function testGreenPauses(cases: readonly (typeof greenPausesCases)[number][]): void {
  it.each<[string, Agent, number, number]>(cases)('stays green: %s', async (_what, agent, recorded, replayed) => {
    const trace = await record(agent, recorded)
    expect((await replay(trace, () => agent(replayed))).divergences).toEqual([])
  })
}

export const busyProcessCases = [
  ['cleared', true],
  ['left running', false],
] as const

export function testBusyProcess(cases: readonly (typeof busyProcessCases)[number][]): void {
  it.each(cases)(
    'keeps unchanged code green whose limit only seems shorter than its call, since the process was busy: %s',
    async (_what, clears) => {
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
    },
  )
}

function keepBusy(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until) continue
}

/** Starts what the tests share, and ends it after them. */
export function setUpLimitedCalls(): void {
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
}
