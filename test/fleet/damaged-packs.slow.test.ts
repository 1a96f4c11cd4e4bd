import { expect, it } from 'vitest'
import { Shipper } from '../../src/fleet/shipper.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { idOf, rowsOf, sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { fillSpool, maker, openBucket, setUpShipping, world } from '../support/ship-runs.ts'

setUpShipping()
const warnings = collectWarnings()

/** Cuts the next pack that is stored in two, as a connection that breaks does. */
function cutNextPack(): void {
  let isCut = false
  world.fault = ({ method, key }) => {
    if (isCut || method !== 'PUT' || !key.endsWith('.pack')) return undefined
    isCut = true
    return 'half write'
  }
}

/** The keys in a bucket that begin so. */
async function keysOf(url: string, prefix: string): Promise<string[]> {
  const pages = await Array.fromAsync(new S3ObjectStorage(toS3Location(url)).list({ prefix }))
  return pages.flat().map(({ key }) => key)
}

it('stores a pack again that was cut while it was stored', { timeout: 60_000 }, async () => {
  const spool = await fillSpool(5)
  const { bucket, url, reopen } = openBucket()
  cutNextPack()
  await expect(new Shipper(spool, bucket).ship()).resolves.toEqual({ runs: 5, waiting: 0, unreadable: [] })
  expect((await reopen().read(maker.make(3).summary.id))?.text).toBe(maker.make(3).lines)
  expect(await keysOf(url, 'damaged/')).toEqual([])
  expect(warnings.splice(0)).toEqual([])
})

it('stores a cut pack again from the spool of a shipper that died, and sets nothing aside', { timeout: 60_000 }, async () => {
  const spool = await fillSpool(5)
  const { url, reopen } = openBucket()
  await leaveCutPack(url, reopen, spool)
  await expect(new Shipper(spool, reopen()).ship()).resolves.toEqual({ runs: 5, waiting: 0, unreadable: [] })
  expect((await reopen().read(maker.make(3).summary.id))?.text).toBe(maker.make(3).lines)
  expect(await keysOf(url, 'damaged/')).toEqual([])
  expect(warnings.splice(0)).toEqual([])
})

it('sets a cut pack aside that no spool has, names it, and ships', { timeout: 60_000 }, async () => {
  const { url, reopen } = openBucket()
  await leaveCutPack(url, reopen, await fillSpool(5))
  const [cut = ''] = await keysOf(url, 'runs/successful/packs/')
  // Another machine's spool, with other runs of the same hour.
  const other = await fillSpool(8)
  await other.removeMany([0, 1, 2, 3, 4].map((number) => maker.make(number).summary.id))
  await expect(new Shipper(other, reopen()).ship()).resolves.toEqual({ runs: 3, waiting: 0, unreadable: [] })
  expect(await keysOf(url, 'damaged/')).toEqual([`damaged/${cut}`])
  expect(await keysOf(url, cut)).toEqual([])
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings.splice(0)).toEqual([
    `goldenrun set aside a damaged pack: ${reopen().place}: ${cut} was moved to damaged/${cut}. Its runs cannot be read. Those that are still in a spool are shipped from there.`,
  ])
  await expect(reopen().compact('9')).resolves.toBeGreaterThan(0)
})

it('leaves a run of a damaged pack that an index lists in the spool until it is stored again', { timeout: 60_000 }, async () => {
  const { bucket, url, reopen } = openBucket()
  await new Shipper(await fillSpool(5), bucket).ship()
  const [pack = ''] = await keysOf(url, 'runs/successful/packs/')
  const storage = new S3ObjectStorage(toS3Location(url))
  const whole = (await storage.get(pack)) ?? new Uint8Array()
  await storage.put(pack, whole.subarray(0, whole.length >>> 1))
  await expect(new Shipper(await fillSpool(6), reopen()).ship()).resolves.toEqual({ runs: 6, waiting: 0, unreadable: [] })
  for (const number of [0, 3, 5]) expect((await reopen().read(maker.make(number).summary.id))?.text).toBe(maker.make(number).lines)
})

it('stores a pack again that was cut while a recorder stored it', async () => {
  const { bucket, reopen } = openBucket()
  cutNextPack()
  writeRun(bucket, sampleRun(1))
  await bucket.flush()
  expect(await rowsOf(reopen(), idOf(1))).toHaveLength(sampleRun(1).rows.length + 1)
})

/** Leaves a bucket with a pack that was cut, whose shipper died before it tried again. */
async function leaveCutPack(
  url: string,
  reopen: typeof openBucket extends () => { reopen: infer Reopen } ? Reopen : never,
  spool: Parameters<typeof shipOnce>[0],
): Promise<void> {
  await shipOnce(spool, reopen)
  world.fault = () => undefined
  expect(await keysOf(url, 'runs/successful/packs/')).toHaveLength(1)
}

async function shipOnce(
  spool: Awaited<ReturnType<typeof fillSpool>>,
  reopen: () => ReturnType<typeof openBucket>['bucket'],
): Promise<void> {
  let isCut = false
  world.fault = ({ method, key }) => {
    if (isCut) return 'down'
    isCut = method === 'PUT' && key.endsWith('.pack')
    return isCut ? 'half write' : undefined
  }
  await expect(new Shipper(spool, reopen()).ship()).rejects.toThrow('the storage failed')
}
