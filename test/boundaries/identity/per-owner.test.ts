import { expect, it } from 'vitest'
import { perOwner } from '../../../src/boundaries/identity/per-owner.ts'
import { external } from '../../../src/run/external.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'

function createCounter(start: number): () => number {
  let count = start
  return () => (count += 1)
}

it('restarts the count in each run, and continues it outside', async () => {
  const next = perOwner(createCounter(100), () => createCounter(0))
  expect([next(), next()]).toEqual([101, 102])
  const first = await recordRun(() => [next(), next()])
  const second = await recordRun(() => [next(), next()])
  expect([first.output, second.output, next()]).toEqual([[1, 2], [1, 2], 103])
})

it('restarts the count in the body of each step', async () => {
  const next = perOwner(createCounter(100), () => createCounter(0))
  const count = tool('count', {}, async () => [next(), next()])
  const ask = external('ask', async () => next())
  const { output } = await recordRun(async () => [next(), await count(), next(), await ask(), await count(), next()])
  expect(output).toEqual([1, [1, 2], 2, 1, [1, 2], 3])
})

it('keeps runs that run at the same time apart', async () => {
  const next = perOwner(createCounter(100), () => createCounter(0))
  const agent = async (): Promise<number[]> => {
    const counts = [next()]
    await new Promise((resolve) => setTimeout(resolve, 5))
    return [...counts, next()]
  }
  const runs = await Promise.all([recordRun(agent), recordRun(agent), recordRun(agent)])
  expect(runs.map(({ output }) => output)).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ])
})
