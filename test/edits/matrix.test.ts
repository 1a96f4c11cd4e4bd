import { expect, it } from 'vitest'
import { createRandom } from '../support/random.ts'
import { edits } from './edits.ts'
import { runMatrix } from './run-matrix.ts'

const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

// Every edit, alone and in pairs: npm run test:slow -- test/edits.
it(`finds a sample of the edits where they were made (GOLDENRUN_SEED=${seed})`, async () => {
  const sample = createRandom(seed).shuffle(edits).slice(0, 2)
  const { cells, wrong } = await runMatrix({ edits: sample, seeds: [1] })
  expect([cells, wrong], `Again: GOLDENRUN_SEED=${seed} npm test -- test/edits`).toEqual([2, []])
})
