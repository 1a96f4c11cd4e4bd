import { expect, it } from 'vitest'
import { createRandom } from '../support/random.ts'
import { killShippers } from './world/kill-shippers.ts'

const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

// npm run test:full -- ship-kills has three hundred.
it(`loses no run and doubles none where shippers are killed (GOLDENRUN_SEED=${seed})`, { timeout: 300_000 }, async () => {
  const { runs, faults } = await killShippers(6, createRandom(seed))
  expect({ runs, faults }).toEqual({ runs: 48, faults: [] })
})
