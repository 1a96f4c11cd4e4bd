import { afterAll, beforeAll } from 'vitest'
import { type S3World, startS3World } from '../fleet/world/s3-world.ts'

export let world: S3World

let prefixes = 0

export const newBucket = (): string => world.url.replace('/fleet', `/command-${(prefixes += 1)}`)

/** Starts what the tests share, and ends it after them. */
export function setUpShipCommands(): void {
  beforeAll(async () => {
    world = await startS3World()
  })
  afterAll(() => world[Symbol.asyncDispose]())
}
