import { expect, it } from 'vitest'
import { programs } from './programs.ts'
import { faultsOf, repeat } from './repeat.ts'

/** `npm run determinism` replays each a thousand times, on every version of Node. */
const replays = Number(process.env['GOLDENRUN_REPLAYS'] ?? 60)
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

it.each(Object.entries(programs))(
  `replays the same each time: %s (GOLDENRUN_SEED=${seed})`,
  { timeout: 120_000 },
  async (_name, create) => {
    const repeated = await repeat(create(seed), replays)
    expect(repeated.steps).toBeGreaterThanOrEqual(3)
    expect(faultsOf(repeated)).toEqual([])
  },
)
