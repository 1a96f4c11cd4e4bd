import { expect, it } from 'vitest'
import { compareValues } from '../../src/divergence/compare-inputs.ts'
import { matchers } from '../../src/matchers/runner-matchers.ts'
import type { MatchContext } from '../../src/matchers/matcher-types.ts'
import { holdsSubset } from '../../src/matchers/subset.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { buildDivergence, buildRun } from './build-run.ts'

const context: MatchContext = { isNot: false, color: false, width: 110, matches: holdsSubset, difference: () => [] }

const look = tool('look', {}, async () => 'packed')

async function agent(states: readonly (readonly [name: string, state: unknown])[]): Promise<string> {
  await look()
  for (const [name, state] of states) checkpoint(name, state)
  return 'done'
}

it('passes where the recorded checkpoints are reached with their states, whatever else differs', async () => {
  const { trace } = await recordRun(() => agent([['found', { status: 'packed' }]]))
  const same = await replay(trace, () => agent([['found', { status: 'packed' }]]))
  expect(matchers.toMatchCheckpoints(context, same).pass).toBe(true)
  const otherwise = await replay(trace, async () => `${await agent([['found', { status: 'packed' }]])} and more`)
  expect(otherwise.divergences).toHaveLength(1)
  expect(matchers.toMatchCheckpoints(context, otherwise).pass).toBe(true)
})

it.each([
  { what: 'another state', states: [['found', { status: 'sent' }]] },
  {
    what: 'one more',
    states: [
      ['found', { status: 'packed' }],
      ['left', 1],
    ],
  },
  { what: 'one less', states: [] },
  { what: 'another name', states: [['lost', { status: 'packed' }]] },
] as const)('fails on $what', async ({ states }) => {
  const { trace } = await recordRun(() => agent([['found', { status: 'packed' }]]))
  expect(matchers.toMatchCheckpoints(context, await replay(trace, () => agent(states))).pass).toBe(false)
})

it('passes on no run that was stopped', async () => {
  const { trace } = await recordRun(() => agent([]))
  const stopped = await replay(trace, () => tool('other', {}, async () => 1)())
  expect(matchers.toMatchCheckpoints(context, stopped).pass).toBe(false)
  expect(matchers.toMatchCheckpoints({ ...context, isNot: true }, stopped).pass).toBe(true)
})

it('says which differ, and how', () => {
  const [expected, received] = [{ status: 'packed' }, { status: 'sent' }]
  const fields = { cause: 'checkpoint', step: 2, position: 'after' } as const
  const run = buildRun({
    divergences: [
      buildDivergence({ ...fields, name: 'found', expected, received, differences: compareValues(expected, received) }),
      buildDivergence({ ...fields, name: 'left', received }),
    ],
  })
  expect(matchers.toMatchCheckpoints(context, run).message()).toBe(
    [
      'Expected "cancel-unshipped" to reach the recorded checkpoints.',
      '  checkpoint "found" after step 2: The agent reached this checkpoint with a different state.',
      '    status',
      '      expected  "packed"',
      '      received  "sent"',
      '  checkpoint "left" after step 2: The agent reached a checkpoint that the recorded run did not reach.',
    ].join('\n'),
  )
  expect(matchers.toMatchCheckpoints({ ...context, isNot: true }, buildRun()).message()).toBe(
    'Expected "cancel-unshipped" not to reach the recorded checkpoints, but it reached all 0 there.',
  )
})
