import { afterAll, beforeAll } from 'vitest'
import { openBucketTwice, type OpenedTwice } from '../fleet/world/flags-at-once.ts'
import { createRunMaker, type RunMaker } from '../fleet/world/synthetic-runs.ts'
import { type S3World, startS3World } from '../fleet/world/s3-world.ts'

export let world: S3World

let maker: RunMaker

export const openTwice = (runs: number, from: RunMaker = maker): Promise<OpenedTwice> => openBucketTwice(world, from, runs)

/** Starts what the tests share, and ends it after them. */
export function setUpBuckets(): void {
  beforeAll(async () => {
    world = await startS3World()
    maker = await createRunMaker({ start: Date.parse('2026-11-20T10:00:00Z'), every: 1000 })
  })
  afterAll(() => world[Symbol.asyncDispose]())
}
