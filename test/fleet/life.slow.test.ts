import { expect, it } from 'vitest'
import { createRandom } from '../support/random.ts'
import { compareLives } from './world/compare-lives.ts'
import { liveTwice } from './world/fleet-life.ts'

const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

// npm run test:full -- fleet has a million.
it(
  `ships, finds and ages out ten thousand runs for ten times what a thousand take (GOLDENRUN_SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    const [few, many] = await liveTwice(10_000, createRandom(seed))
    expect([few.runs, many.runs]).toEqual([1000, 10_000])
    expect([...few.faults, ...many.faults]).toEqual([])
    expect(compareLives(few, many)).toEqual([])
  },
)
