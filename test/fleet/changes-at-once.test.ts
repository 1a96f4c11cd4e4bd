import { afterAll, beforeAll, expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { expectFlagsKept, flagsOf, openBucketTwice, type OpenedTwice } from './world/flags-at-once.ts'
import { createRunMaker, type RunMaker } from './world/synthetic-runs.ts'
import { type S3World, startS3World } from './world/s3-world.ts'

let world: S3World
let maker: RunMaker
beforeAll(async () => {
  world = await startS3World()
  maker = await createRunMaker({ start: Date.parse('2026-11-20T10:00:00Z'), every: 1000 })
})
afterAll(() => world[Symbol.asyncDispose]())

const openTwice = (runs: number, from = maker): Promise<OpenedTwice> => openBucketTwice(world, from, runs)

it('removes the runs of two people, asked for by two processes at once', async () => {
  const { ids, one, other } = await openTwice(20)
  const [first, second] = [ids.filter((_, index) => index % 2 === 0), ids.filter((_, index) => index % 2 === 1)]
  const removed = await Promise.all([one.removeMany(first), other.removeMany(second)])
  expect(removed.map((some) => some.length)).toEqual([10, 10])
  expect(await createS3Store(one.place).list()).toEqual([])
  for (const id of ids) expect(await one.read(id)).toBe(undefined)
})

it('removes a run that another process flags at the same time', async () => {
  const { ids, one, other } = await openTwice(6)
  const [id = ''] = ids
  const [, removed] = await Promise.all([one.flag(id, 'wrong amount'), other.removeMany(ids)])
  expect(removed).toEqual(ids)
  expect(await createS3Store(one.place).list()).toEqual([])
})

// More of them, and again and again: flags-at-once.slow.test.ts.
it('keeps every flag of several processes at once, on one run and on several', async () => {
  await expectFlagsKept(await openTwice(3))
})

it('keeps a run that is flagged again and again, and leaves nothing of it once it is removed', async () => {
  const { ids, one } = await openTwice(3)
  const [id = ''] = ids
  for (const reason of ['one', 'two', 'three', 'four']) {
    expect(await one.flag(id, reason)).toBe(true)
    await one.compact('9')
  }
  expect(await flagsOf(createS3Store(one.place), id)).toEqual(['one', 'two', 'three', 'four'])
  expect((await one.list()).toSorted()).toEqual(ids.toSorted())
  expect(await one.removeMany(ids)).toEqual(ids)
  const left = [...(await one.idsOfHours(new Set(ids.map((each) => each.slice(0, 11)))))]
  expect(left).toEqual([])
})

it('stops removing, and says so, once another process has taken its lease', async () => {
  const { ids, one } = await openTwice(4, await createRunMaker({ start: Date.parse('2026-11-20T10:00:00Z'), every: 3_600_000 }))
  const storage = new S3ObjectStorage(toS3Location(one.place))
  const taken = Buffer.from(JSON.stringify({ holder: 'another', until: Date.now() + 60_000 }))
  let taking: Promise<void> | undefined
  // The first hour is not done before the other process has the lease.
  world.fault = ({ method, key }) => {
    if (method !== 'DELETE' || !key.endsWith('.pack')) return undefined
    taking ??= storage.put('leases/index/000000000099', taken).then(() => void (world.fault = () => undefined))
    return 'down'
  }
  await expect(one.removeMany(ids)).rejects.toThrow('Some runs are not removed. Try again.')
  await taking
  const left = await createS3Store(one.place).list()
  expect([left.length > 0, left.length < 4]).toEqual([true, true])
})
