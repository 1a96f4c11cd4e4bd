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

it('runs the agent once, whatever line is looked for', async () => {
  let replays = 0
  const agents = [
    async () => [await look('ord_1'), await look('ord_2')],
    async () => [await look('ord_1'), await look('ord_3')],
    async () => await clients['anthropic']?.(),
  ]
  for (const agent of agents) await replay(trace, async () => ((replays += 1), await agent()), { traceCallSites: true })
  expect(replays).toBe(agents.length)
})

it('gives the agent the same refusal, whatever line is found: frameworks tell the model of it', async () => {
  const told: unknown[] = []
  const agent = async (): Promise<void> => {
    await clients['anthropic']?.().catch(({ cause }: Error) => {
      const { cause: refusal } = cause as Error
      if (refusal instanceof RefusedError) told.push([refusal.stack, JSON.stringify(refusal.divergence)])
    })
  }
  await replay(trace, agent)
  const run = await replay(trace, agent, { traceCallSites: true })
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', site: { file, line: lineOf('anthropic') } })
  expect(told).toHaveLength(2)
  expect(told[1]).toEqual(told[0])
})
