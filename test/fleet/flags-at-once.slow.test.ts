import { it } from 'vitest'
import { expectFlagsKept, openBucketTwice } from './world/flags-at-once.ts'
import { startS3World } from './world/s3-world.ts'
import { createRunMaker } from './world/synthetic-runs.ts'

it('keeps every flag of several processes at once, on six runs, each time', async () => {
  await using world = await startS3World()
  const maker = await createRunMaker({ start: Date.parse('2026-11-20T10:00:00Z'), every: 1000 })
  for (let time = 0; time < 5; time += 1) await expectFlagsKept(await openBucketTwice(world, maker, 6))
})
