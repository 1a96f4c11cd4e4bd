import { expect, it } from 'vitest'
import { replayPrograms } from './microtask-programs.ts'

it('calls no order wrong in three hundred programs of tools that settle in microtasks, each replayed unchanged', async () => {
  const { found, steps } = await replayPrograms(300)
  expect(steps).toBeGreaterThan(1000)
  // Where two equal calls race each other, which is which cannot be told; and what a chain of awaits comes to beside the end of a run either.
  expect(found.filter((line) => line.startsWith('order')).length, found.join('\n')).toBeLessThanOrEqual(2)
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(9)
})
