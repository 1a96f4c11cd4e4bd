import { expect, it, vi } from 'vitest'
import { readPack } from '../../src/fleet/packs/pack.ts'
import { Shipper } from '../../src/fleet/shipper.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { toStoredLog } from './world/synthetic-runs.ts'
import { faultsCases, fillSpool, maker, openBucket, setUpShipping, testFaults, world } from '../support/ship-runs.ts'

setUpShipping()

/** Of every run in every pack. */
async function idsInPacks(url: string): Promise<string[]> {
  const storage = new S3ObjectStorage(toS3Location(url))
  const ids: string[] = []
  for await (const page of storage.list({ prefix: 'runs/' }))
    for (const { key } of page) {
      const bytes = key.endsWith('.pack') ? await storage.get(key) : undefined
      ids.push(...(bytes === undefined ? [] : readPack(bytes, key).runs.map(({ id }) => id)))
    }
  return ids.toSorted()
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

it('moves every run to the bucket, with its lines and its summary', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(130)
  const { bucket, reopen } = openBucket()
  await expect(new Shipper(spool, bucket).ship()).resolves.toEqual({ runs: 130, waiting: 0, unreadable: [] })
  const runs = numbers(130).map((number) => maker.make(number))
  expect(await spool.list()).toEqual([])
  const other = reopen()
  expect(await other.list()).toEqual(runs.map(({ summary }) => summary.id).toSorted())
  for (const { summary, lines } of [runs[0], runs[120], runs[129]].flatMap((run) => run ?? [])) {
    expect((await other.read(summary.id))?.text).toBe(lines)
    const [found] = (await other.find({ traceId: summary.traceId })).runs
    expect(found).toEqual({ ...summary, bytes: expect.any(Number), file: expect.stringContaining(summary.id) })
  }
  expect(world.requests.filter(({ method, key }) => method === 'PUT' && key.includes('/packs/')).length).toBeLessThan(15)
})

it('ships nothing while another process ships', async () => {
  const spool = await fillSpool(1)
  const { bucket } = openBucket()
  const shipper = new Shipper({ ...spool, lease: async () => undefined }, bucket)
  await expect(shipper.ship()).resolves.toEqual({ runs: 0, waiting: 0, unreadable: [], isBusy: true })
  expect(await spool.list()).toHaveLength(1)
})

it('ships a run a minute after its end, and not a millisecond before', async () => {
  const spool = await fillSpool(1)
  const { bucket } = openBucket()
  const { startedAt, durationMs = 0 } = maker.make(0).summary
  const minuteAfter = Date.parse(startedAt) + durationMs + 60_000
  vi.useFakeTimers({ toFake: ['Date'], now: minuteAfter - 1 })
  try {
    await expect(new Shipper(spool, bucket).ship()).resolves.toEqual({ runs: 0, waiting: 1, unreadable: [] })
    vi.setSystemTime(minuteAfter)
    await expect(new Shipper(spool, bucket).ship()).resolves.toEqual({ runs: 1, waiting: 0, unreadable: [] })
  } finally {
    vi.useRealTimers()
  }
})

// Other faults, and what needs many runs: ship.slow.test.ts.
testFaults(faultsCases.slice(1, 2))

it('takes 412 for done: what it stores is there, since the answer to the first attempt was lost', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(12)
  const { bucket, url, reopen } = openBucket()
  const stored = new Set<string>()
  world.fault = ({ method, key }) => {
    if (method !== 'PUT' || stored.has(key)) return undefined
    stored.add(key)
    return 'lost answer'
  }
  await expect(new Shipper(spool, bucket).ship()).resolves.toEqual({ runs: 12, waiting: 0, unreadable: [] })
  expect([...stored].some((key) => key.endsWith('.pack'))).toBe(true)
  world.fault = () => undefined
  expect(await idsInPacks(url)).toEqual((await reopen().list()).toSorted())
  expect(await idsInPacks(url)).toHaveLength(12)
})

it('removes nothing locally after a 412 for a pack that is not there', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(12)
  const { bucket } = openBucket()
  world.fault = ({ method, key }) => (method === 'PUT' && key.endsWith('.pack') ? 412 : undefined)
  await expect(new Shipper(spool, bucket).ship()).rejects.toThrow(
    expect.objectContaining({ code: 'GOLDENRUN_STORAGE', problem: 'damaged' }),
  )
  expect(await spool.list()).toHaveLength(12)
})

it('leaves no copy of an erased run that a killed process had in two packs', { timeout: 120_000 }, async () => {
  const { bucket, url, reopen } = openBucket()
  const { summary, lines } = maker.make(3)
  const log = await toStoredLog({ summary, lines }).bytes()
  const others = await Promise.all(
    numbers(12).map(async (number) => {
      const run = maker.make(number)
      return { ...run, log: await toStoredLog(run).bytes() }
    }),
  )
  await bucket.adoptMany([{ summary, log, lines }])
  await bucket.adoptMany(others)
  await reopen().compact('9')
  await reopen().removeMany([summary.id])
  expect(await idsInPacks(url)).toEqual(
    numbers(12)
      .flatMap((number) => (number === 3 ? [] : maker.make(number).summary.id))
      .toSorted(),
  )
})
