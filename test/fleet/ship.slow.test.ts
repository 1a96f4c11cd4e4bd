import { expect, it } from 'vitest'
import { Shipper } from '../../src/fleet/shipper.ts'
import { type Fault } from './world/s3-world.ts'
import { faultsCases, fillSpool, maker, openBucket, setUpShipping, testFaults, world } from '../support/ship-runs.ts'

setUpShipping()

it('finds runs by trace and by tag in compacted hours, reading a part of their index', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(200)
  const { bucket, reopen } = openBucket()
  await new Shipper(spool, bucket).ship()
  // A class of an hour has an index of its own.
  const made = Array.from({ length: 200 }, (_, number) => maker.make(number).summary)
  const indexes = new Set(made.map(({ id, status }) => `${id.slice(0, 11)} ${status}`))
  await expect(bucket.compact('9')).resolves.toBe(indexes.size)
  const other = reopen()
  const { summary } = maker.make(150)
  for (const query of [{ traceId: summary.traceId }, { tags: { user: summary.tags['user'] ?? '' } }])
    expect((await other.find(query)).runs.map(({ id }) => id)).toEqual([summary.id])
  await expect(other.find({ traceId: 'f'.repeat(32) })).resolves.toEqual({ runs: [], unreadable: [] })
  expect((await other.list({ newest: true, limit: 3 })).toSorted()).toEqual([197, 198, 199].map((number) => maker.make(number).summary.id))
})

it('removes a person everywhere: from pack, index and terms', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(120)
  const { bucket, reopen } = openBucket()
  await new Shipper(spool, bucket).ship()
  await bucket.compact('9')
  const erased = [3, 50, 99].map((number) => maker.make(number).summary)
  const before = world.requests.length
  await expect(bucket.removeMany(erased.map(({ id }) => id))).resolves.toEqual(erased.map(({ id }) => id))
  expect(world.requests.slice(before).some(({ method, key }) => method === 'DELETE' && key.includes('/packs/'))).toBe(true)
  const other = reopen()
  expect((await other.list()).length).toBe(117)
  for (const { id, traceId } of erased) {
    expect(await other.read(id)).toBe(undefined)
    expect((await other.find({ traceId })).runs).toEqual([])
  }
  expect((await other.read(maker.make(51).summary.id))?.text).toBe(maker.make(51).lines)
  // Nothing is left that a shipper would take for a pack without an index.
  expect((await other.idsOfHours(new Set([erased[0]?.id.slice(0, 11) ?? '']))).length).toBe(117)
})

testFaults([...faultsCases.slice(0, 1), ...faultsCases.slice(2)])

it('repeats what failed in passing', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(12)
  const faults: Fault[] = [500, 'down', 409, 'cut', 500, 'lost answer', 'cut']
  const { bucket } = openBucket()
  let asked = 0
  // Of three requests, one fails.
  world.fault = () => ((asked += 1) % 3 === 0 ? faults[asked % faults.length] : undefined)
  await expect(new Shipper(spool, bucket).ship()).resolves.toEqual({ runs: 12, waiting: 0, unreadable: [] })
})

it('takes what a dead shipper stored without an index for its own', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(12)
  const { bucket, reopen } = openBucket()
  world.fault = ({ method, key }) => (method === 'PUT' && key.includes('/index/') ? 403 : undefined)
  await expect(new Shipper(spool, bucket).ship()).rejects.toThrow('denied')
  world.fault = () => undefined
  const before = world.requests.length
  await expect(new Shipper(spool, reopen()).ship()).resolves.toEqual({ runs: 12, waiting: 0, unreadable: [] })
  expect(world.requests.slice(before).filter(({ method, key }) => method === 'PUT' && key.includes('/packs/'))).toEqual([])
  expect((await reopen().list()).length).toBe(12)
})

it('removes whole packs without reading them', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(60)
  const { bucket, reopen } = openBucket()
  await new Shipper(spool, bucket).ship()
  await bucket.compact('9')
  const before = world.requests.length
  await reopen().removeMany(await bucket.list())
  const seen = world.requests.slice(before).filter(({ key }) => key.includes('/packs/'))
  expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['DELETE']))
  expect(await reopen().list()).toEqual([])
})
