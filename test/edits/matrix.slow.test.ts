import { expect, it } from 'vitest'
import { createRandom } from '../support/random.ts'
import { edits, sensiblePairs } from './edits.ts'
import { runMatrix } from './run-matrix.ts'

// The whole of it: npm run test:edits.
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

it('finds every edit where it was made, with its cause, and calls no other code wrong', { timeout: 180_000 }, async () => {
  const { cells, wrong } = await runMatrix({ edits, seeds: [1, 2, 3, 4] })
  expect([cells, wrong]).toEqual([64 * 4, []])
})

it(`finds the first of two edits, with the seed ${seed}`, { timeout: 180_000 }, async () => {
  const pairs = createRandom(seed).shuffle(sensiblePairs(edits)).slice(0, 100)
  const { cells, wrong } = await runMatrix({ edits: pairs, seeds: [5, 6] })
  expect([cells, wrong], `Again: GOLDENRUN_SEED=${seed} npm run test:slow -- test/edits`).toEqual([100 * 2, []])
})
