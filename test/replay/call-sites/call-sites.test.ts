import { expect, it } from 'vitest'
import { RefusedError } from '../../../src/replay/judge/refused-error.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { clients } from './clients.ts'
import { callings, file, lineOf, look, placeOf, testCallings, trace } from '../../support/call-sites.ts'

// The other clients behind an awaited step: call-sites.slow.test.ts.
testCallings(callings.slice(0, 36))

it('names the line of a tool that runs, and of its own code alone', async () => {
  const fetchOrder = tool('fetch_order', {}, async () => await clients['anthropic']?.())
  const recorded = await recordRun(async () => await tool('fetch_order', {}, async () => 'packed')())
  const run = await replay(recorded.trace, async () => await fetchOrder(), { tools: 'run', traceCallSites: true })
  expect(placeOf(run)).toEqual([file, lineOf('anthropic')])
})

it('replays once where the line is certain, and where nothing differs', async () => {
  let replays = 0
  const held = await replay(trace, async () => ((replays += 1), [await look('ord_1'), await look('ord_2')]), { traceCallSites: true })
  expect([held.divergences, replays]).toEqual([[], 1])
  const changed = await replay(trace, async () => ((replays += 1), [await look('ord_1'), await look('ord_3')]), { traceCallSites: true })
  expect([changed.divergences[0]?.site?.file, replays]).toEqual(['test/replay/call-sites/call-sites.test.ts', 2])
})

it('gives the agent the same refusal the second time, whatever line was found: frameworks tell the model of it', async () => {
  const told: unknown[] = []
  const agent = async (): Promise<void> => {
    await clients['anthropic']?.().catch(({ cause }: Error) => {
      const { cause: refusal } = cause as Error
      if (refusal instanceof RefusedError) told.push([refusal.stack, JSON.stringify(refusal.divergence)])
    })
  }
  const run = await replay(trace, agent, { traceCallSites: true })
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', site: { file, line: lineOf('anthropic') } })
  expect(told).toHaveLength(2)
  expect(told[1]).toEqual(told[0])
})

it('compares nothing of what an agent does once it was stopped: that takes real time', async () => {
  let replays = 0
  const agent = async (): Promise<void> => {
    replays += 1
    await clients['anthropic']?.().catch(async () => await look(`ord_${replays}`))
  }
  const run = await replay(trace, agent, { traceCallSites: true })
  expect([replays, placeOf(run)]).toEqual([2, [file, lineOf('anthropic')]])
})

it('replays once where the test does not ask, or where a host is live', async () => {
  let replays = 0
  const agent = async (): Promise<unknown> => ((replays += 1), await clients['openai streamed']?.())
  await replay(trace, agent)
  await replay(trace, agent, { traceCallSites: true, live: ['localhost:1'] })
  expect(replays).toBe(2)
})

it('says that an agent is not deterministic where it does something else the second time, be it what was recorded', async () => {
  let replays = 0
  const agent = async (): Promise<unknown> => {
    replays += 1
    return replays === 1 ? await clients['anthropic']?.() : [await look('ord_1'), await look('ord_2')]
  }
  const run = await replay(trace, agent, { traceCallSites: true })
  expect(replays).toBe(2)
  expect(run.divergences.map(({ cause, consequence }) => [cause, consequence])).toEqual([
    ['nondeterminism', false],
    ['unexpected-call', true],
  ])
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'nondeterminism' } })
})
