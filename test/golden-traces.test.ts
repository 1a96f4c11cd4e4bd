import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { supportAgent as anthropicAgent } from '../examples/support-agent/agent-anthropic.ts'
import { supportAgent as openaiAgent } from '../examples/support-agent/agent-openai.ts'
import { replay } from '../src/vitest.ts'

const agents = [
  ['openai', openaiAgent],
  ['anthropic', anthropicAgent],
] as const

it.each(agents)("holds the project's own golden of an ordinary run (%s)", async (sdk, agent) => {
  const run = await replay(`cancel-unshipped-support-${sdk}`, agent)
  expect(run).toReplayWithoutDivergence()
  expect(run).toHaveCalledTools(['get_order', 'cancel_order'])
  expect(run).toHaveReachedCheckpoint('order-found', { order: { status: 'packed' } })
  expect(run.hash).toBe(run.trace.hash)
})

it.each(agents)('finds that the example agent still books the refund twice (%s)', async (sdk, agent) => {
  const run = await replay(`refund-twice-support-${sdk}`, agent)
  expect(run).not.toReplayWithoutDivergence()
  expect(() => expect(run).toReplayWithoutDivergence()).toThrow(
    'Step 7 makes refund_order({"order_id":"ord_1001","amount":4900}) again, first made at step 5.',
  )
  // It is stopped there, so that nothing can be said of the rest; and nothing advises to answer the call.
  expect(() => expect(run).toHaveCalledToolTimes('refund_order', 2)).toThrow(/^toHaveCalledToolTimes cannot decide: (?!.*answers)/s)
})

it('has a test for every golden', () => {
  const names = readdirSync('golden-traces').toSorted((a, b) => a.localeCompare(b))
  expect(names).toEqual(
    ['cancel-unshipped', 'refund-twice'].flatMap((name) => ['anthropic', 'openai'].map((sdk) => `${name}-support-${sdk}.jsonl`)),
  )
})
