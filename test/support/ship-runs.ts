import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import type { ObjectStore } from '../../src/fleet/object-store.ts'
import { Shipper } from '../../src/fleet/shipper.ts'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import { createTemporaryDirectory } from './temporary-directory.ts'
import { type Fault, type S3World, startS3World } from '../fleet/world/s3-world.ts'
import { createRunMaker, type RunMaker, toStoredLog } from '../fleet/world/synthetic-runs.ts'

const HOUR = 3_600_000

const start = Math.floor((Date.now() - 30 * HOUR) / HOUR) * HOUR

/** The storage. */
export let world: S3World

/** Makes the runs. */
export let maker: RunMaker

const directories: Awaited<ReturnType<typeof createTemporaryDirectory>>[] = []

let prefixes = 0

/** An empty bucket of its own for each test. */
export function openBucket(): { bucket: ObjectStore; url: string; reopen: () => ObjectStore } {
  const url = world.url.replace('/fleet', `/ship-${(prefixes += 1)}`)
  const reopen = (): ObjectStore => createS3Store({ url, attempts: 3, timeout: 2000 })
  return { bucket: reopen(), url, reopen }
}

/** A spool with so many runs. */
export async function fillSpool(count: number): Promise<DirectoryStore> {
  const directory = await createTemporaryDirectory()
  directories.push(directory)
  const spool = createDirectoryStore(directory.resolve('runs'))
  for (let number = 0; number < count; number += 1) {
    const run = maker.make(number)
    await spool.adopt(toStoredLog(run), run.summary)
  }
  await spool.flush()
  return spool
}

/** What a storage does in place of its work, and whether that passes. */
export const faultsCases: readonly [name: string, fault: Fault, isPassing: boolean][] = [
  ['answers 403', 403, false],
  ['answers 500', 500, true],
  ['answers 409', 409, true],
  ['is full', 507, true],
  ['cuts its answers', 'cut', true],
  ['loses its answers', 'lost answer', true],
  ['is down', 'down', true],
  ['is too slow', 'slow', true],
]

/** Tests that nothing is lost by it. */
export function testFaults(cases: readonly (typeof faultsCases)[number][]): void {
  it.each<[name: string, fault: Fault, isPassing: boolean]>(cases)(
    'keeps every run in the spool while the storage %s, and ships each once after that',
    { timeout: 120_000 },
    async (_name, fault, isPassing) => {
      const spool = await fillSpool(12)
      const { url, reopen } = openBucket()
      world.fault = () => fault
      const failed = new Shipper(spool, createS3Store({ url, attempts: 3, timeout: 300 })).ship()
      await expect(failed).rejects.toThrow(
        expect.objectContaining({ code: 'GOLDENRUN_STORAGE', problem: isPassing ? 'unavailable' : 'forbidden' }),
      )
      await expect(failed).rejects.not.toThrow(/S3RVER/)
      expect((await spool.list()).length).toBe(12)
      world.fault = () => undefined
      await expect(new Shipper(spool, reopen()).ship()).resolves.toEqual({ runs: 12, waiting: 0, unreadable: [] })
      expect((await reopen().list()).length).toBe(12)
      expect(await spool.list()).toEqual([])
    },
  )
}

/** Starts the storage for the tests of a file, and ends it after them. */
export function setUpShipping(): void {
  beforeAll(async () => {
    world = await startS3World()
    maker = await createRunMaker({ start, every: 20_000 })
  }, 120_000)
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    for (const directory of directories) await directory[Symbol.asyncDispose]()
  })
  afterEach(() => {
    world.fault = () => undefined
  })
}
