import { expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { expectFlagsKept } from './world/flags-at-once.ts'
import { createRunMaker } from './world/synthetic-runs.ts'
import { openTwice, setUpBuckets, world } from '../support/changed-buckets.ts'

setUpBuckets()

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
  await expect(one.removeMany(ids)).rejects.toThrow('Some runs were not removed. Try again.')
  await taking
  const left = await createS3Store(one.place).list()
  expect([left.length > 0, left.length < 4]).toEqual([true, true])
})
