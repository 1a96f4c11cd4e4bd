import { expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { compareRuns } from '../../../src/replay/compare/compare-runs.ts'
import { digest } from '../../../src/replay/traces/digest.ts'
import { replay } from '../../../src/replay/replay.ts'
import { fork } from '../../../src/travel/fork.ts'
import { rerun } from '../../../src/replay/rerun.ts'
import type { ReplayedRun } from '../../../src/replay/contract/replayed-run.ts'
import { checkpoint } from '../../../src/run/checkpoint.ts'
import { tool } from '../../../src/run/tool.ts'
import { createEncoder } from '../../../src/trace/codec/encoder.ts'
import { omitUndefined } from '../../../src/trace/json.ts'
import { decodeTrace } from '../../../src/trace/read.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { recordRun } from '../../support/record-run.ts'
import { toGoldenTrace } from '../../support/replay-clean.ts'

/** A run whose tools ask a server and read the clock in their bodies, two of them at once. */
async function recordAsking(): Promise<{ readonly golden: Trace; readonly agent: () => Promise<unknown> }> {
  await using server = await listen(async (request, response) => void response.end(`of ${request.url}`))
  const get = async (path: string): Promise<string> => await (await fetch(`${server.url}${path}`)).text()
  const ask = tool('ask', { effect: 'read' }, async (id: string) => [await get(`/a/${id}`), await get(`/b/${id}`), Date.now()])
  const keep = tool('keep', { effect: 'write' }, async (all: unknown) => ({ all, kept: await get('/keep') }))
  const agent = async (): Promise<unknown> => {
    const first = await ask('1')
    const others = await Promise.all([ask('2'), get('/own'), ask('3')])
    return await keep([first, ...others])
  }
  return { golden: toGoldenTrace((await recordRun(agent)).trace), agent }
}

/** A replay as a file would have it. */
function stored(run: ReplayedRun): Trace {
  const encoder = createEncoder()
  const lines = run.toTrace().rows.flatMap((row) => encoder.encode(row))
  return decodeTrace(`${lines.join('\n')}\n`, 'stored.jsonl', digest)
}

it.each([
  ['replay', async (golden: Trace, agent: () => unknown) => [await replay(golden, agent)]],
  ['replay whose tools run', async (golden: Trace, agent: () => unknown) => [await replay(golden, agent, { tools: 'run' })]],
  ['fork', async (golden: Trace, agent: () => unknown) => [await fork(golden, agent)]],
  ['rerun', async (golden: Trace, agent: () => unknown) => (await rerun(golden, agent, { times: 2 })).replays],
])('finds nothing between a golden and a stored clean %s', async (_what, play) => {
  const { golden, agent } = await recordAsking()
  expect(golden.steps.filter(({ owner, boundary }) => owner > 0 && boundary === 'http')).toHaveLength(7)
  for (const run of await play(golden, agent)) {
    expect(run.divergences).toEqual([])
    for (const other of [run, run.toTrace(), stored(run)]) {
      expect((await compareRuns(golden, other)).divergences).toEqual([])
      expect((await compareRuns(other, golden)).divergences).toEqual([])
    }
  }
})

it('finds in a stored replay what the replay found', async () => {
  const { golden, agent } = await recordAsking()
  const more = async (): Promise<unknown> => [await agent(), await tool('ask', { effect: 'read' }, async (_id: string) => 0)('4')]
  for (const onDivergence of ['stop', 'continue'] as const) {
    const run = await replay(golden, more, { onDivergence })
    expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'ask' })
    const { divergences } = await compareRuns(golden, stored(run))
    expect(divergences).toEqual(run.divergences.map((found) => omitUndefined({ ...found, site: undefined })))
  }
})

it('compares what ran only where it ran in both', async () => {
  const { golden, agent } = await recordAsking()
  const [ran, stubbed] = [await replay(golden, agent, { tools: { ask: 'run' } }), await replay(golden, agent)]
  expect(ran.divergences).toEqual([])
  expect((await compareRuns(stored(ran), stored(stubbed))).divergences).toEqual([])
  expect((await compareRuns(stored(stubbed), stored(ran))).divergences).toEqual([])
  expect(stored(ran).header.replay).toEqual({ ran: ['ask'] })
})

/** A comparison of two runs runs no agent, so it knows no line. */
const unlined = ({ divergences }: Pick<ReplayedRun, 'divergences'>): object[] =>
  divergences.map(({ site: _site, ...divergence }) => divergence)

it('finds what a tool that ran no longer does', async () => {
  await using server = await listen(async (_request, response) => void response.end('yes'))
  let asks = true
  const agent = tool('ask', {}, async () => (asks ? await (await fetch(server.url)).text() : 'yes'))
  const golden = toGoldenTrace((await recordRun(() => agent())).trace)
  asks = false
  const run = await replay(golden, () => agent(), { tools: 'run' })
  expect(run.divergences).toMatchObject([{ cause: 'missing-call', step: 2 }])
  expect((await compareRuns(golden, run)).divergences).toEqual(unlined(run))
  expect((await compareRuns(golden, stored(run))).divergences).toEqual(unlined(run))
})

it('finds nothing where a tool settles in microtasks beside a chain of awaits', async () => {
  const look = tool('look', { effect: 'read' }, async (id: number) => id)
  for (let awaits = 0; awaits < 8; awaits += 1) {
    const beside = async (): Promise<unknown> => {
      for (let each = 0; each < awaits; each += 1) await Promise.resolve()
      checkpoint('beside', awaits)
      return await look(9)
    }
    const agent = async (): Promise<unknown> => await Promise.all([look(1), beside(), look(2)])
    const golden = toGoldenTrace((await recordRun(agent)).trace)
    const run = await replay(golden, agent)
    expect(run.divergences).toEqual([])
    for (const other of [run, stored(run)]) expect((await compareRuns(golden, other)).divergences).toEqual([])
  }
})
