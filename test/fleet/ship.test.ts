import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import type { ObjectStore } from '../../src/fleet/object-store.ts'
import { readPack } from '../../src/fleet/packs/pack.ts'
import { Shipper } from '../../src/fleet/shipper.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { type Fault, type S3World, startS3World } from './world/s3-world.ts'
import { createRunMaker, type RunMaker, toStoredLog } from './world/synthetic-runs.ts'

const HOUR = 3_600_000
const start = Math.floor((Date.now() - 30 * HOUR) / HOUR) * HOUR

let world: S3World
let maker: RunMaker
const directories: Awaited<ReturnType<typeof createTemporaryDirectory>>[] = []
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

let prefixes = 0
function openBucket(): { bucket: ObjectStore; url: string; reopen: () => ObjectStore } {
  const url = world.url.replace('/fleet', `/ship-${(prefixes += 1)}`)
  const reopen = (): ObjectStore => createS3Store({ url, attempts: 3, timeout: 2000 })
  return { bucket: reopen(), url, reopen }
}

async function fillSpool(count: number): Promise<DirectoryStore> {
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

it.each<[name: string, fault: Fault, isPassing: boolean]>([
  ['answers 403', 403, false],
  ['answers 500', 500, true],
  ['answers 409', 409, true],
  ['is full', 507, true],
  ['cuts its answers', 'cut', true],
  ['loses its answers', 'lost answer', true],
  ['is down', 'down', true],
  ['is too slow', 'slow', true],
])(
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

it('repeats what failed in passing', { timeout: 120_000 }, async () => {
  const spool = await fillSpool(12)
  const faults: Fault[] = [500, 'down', 409, 'cut', 500, 'lost answer', 'cut']
  const { bucket } = openBucket()
  let asked = 0
  // Of three requests, one fails.
  world.fault = () => ((asked += 1) % 3 === 0 ? faults[asked % faults.length] : undefined)
  await expect(new Shipper(spool, bucket).ship()).resolves.toEqual({ runs: 12, waiting: 0, unreadable: [] })
})

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
