import { expect, it } from 'vitest'
import type { Divergence } from '../../../src/divergence/divergence.ts'
import { compareRuns, type Comparison } from '../../../src/replay/compare/compare-runs.ts'
import { tool } from '../../../src/run/tool.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { fork } from '../../../src/travel/fork.ts'
import { recordRun } from '../../support/record-run.ts'

const work = tool('work', { effect: 'read' }, async ({ i }: { i: number }) => i)

/** Records a run that makes a call for each number, one after another; those of a list at once. */
async function runOf(...numbers: readonly (number | readonly number[])[]): Promise<Trace> {
  const { trace } = await recordRun(async () => {
    for (const each of numbers) await Promise.all([each].flat().map((i) => work({ i })))
    return 'done'
  })
  return trace
}

const shown = (divergences: readonly Divergence[]): unknown[] =>
  divergences.map(({ cause, position, step, received, differences }) => [cause, position, step, received ?? null, differences.length])
const pairsOf = ({ steps }: Comparison): unknown[] => steps.map(({ a, b }) => [a?.step ?? null, b?.step ?? null])

it('names a call that was inserted, and pairs the calls behind it with their equals', async () => {
  const comparison = await compareRuns(await runOf(1, 2, 3, 4), await runOf(1, 9, 2, 3, 4))
  expect(shown(comparison.divergences)).toEqual([['unexpected-call', 'after', 1, { i: 9 }, 0]])
  expect(pairsOf(comparison)).toEqual([
    [1, 1],
    [null, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ])
})

it('names a call that was left out, and compares a changed one at the end with the recorded one at the end', async () => {
  const comparison = await compareRuns(await runOf(1, 2, 3, 4, 5), await runOf(1, 2, 4, 6))
  expect(comparison.divergences.map(({ cause, step }) => [cause, step])).toEqual([
    ['missing-call', 3],
    ['input', 5],
    ['outcome', 5],
  ])
  expect(pairsOf(comparison)).toEqual([
    [1, 1],
    [2, 2],
    [3, null],
    [4, 3],
    [5, 4],
  ])
})

it('still calls a call that was changed in its place a changed one', async () => {
  const { divergences } = await compareRuns(await runOf(1, 2, 3), await runOf(1, 9, 3))
  expect(divergences.map(({ cause, step }) => [cause, step])).toEqual([
    ['input', 2],
    ['outcome', 2],
  ])
})

it('finds the changed one among calls that were made at once, in any order', async () => {
  const { divergences } = await compareRuns(await runOf([1, 2, 3]), await runOf([3, 9, 1]))
  expect(divergences.map(({ cause, step }) => [cause, step])).toEqual([
    ['input', 2],
    ['outcome', 2],
  ])
})

it('is not misled by a call that moved from the end to the start', async () => {
  const { divergences } = await compareRuns(await runOf(1, 2, 3, 4, 5), await runOf(5, 1, 8, 3, 4))
  expect(divergences.filter(({ cause }) => cause === 'input').map(({ step }) => step)).toEqual([2])
})

it('names a call that a fork inserted', async () => {
  const agent = (numbers: readonly number[]) => async (): Promise<string> => {
    for (const i of numbers) await work({ i })
    return 'done'
  }
  const trace = await runOf(1, 2, 3)
  const forked = await fork(trace, agent([1, 9, 2, 3]), { at: 1, edit: { answer: 1 }, route: { work: 'run' } })
  const comparison = await compareRuns(trace, forked)
  expect(comparison.divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 1, received: { i: 9 } })
  expect(comparison.divergences.filter(({ cause }) => cause === 'input')).toEqual([])
})
