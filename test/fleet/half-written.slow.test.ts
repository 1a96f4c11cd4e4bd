import { afterEach, expect, it, vi } from 'vitest'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { idOf, sampleRun, writeRun } from '../../src/stores/conformance/sample-runs.ts'
import { newBucket, openStore, setUpS3, world } from '../support/s3-checks.ts'

setUpS3()
afterEach(() => void (world.fault = () => undefined))

it('changes a bucket in which a process left half of a lease when it died', { timeout: 60_000 }, async () => {
  const { url } = newBucket()
  const store = openStore(url)
  writeRun(store, sampleRun(1))
  await store.flush()
  await new S3ObjectStorage(toS3Location(url)).put('leases/index/000000000007', Buffer.from('{"holder":"4bf92f35-'))
  expect(await store.flag(idOf(1), 'the customer wrote')).toBe(true)
  expect((await openStore(url).read(idOf(1)))?.flags).toEqual(['the customer wrote'])
})

it('takes a lease of which its own first attempt stored half', async () => {
  const store = openStore()
  let isCut = false
  world.fault = ({ method, key }) => {
    if (isCut || method !== 'PUT' || !key.includes('leases/')) return undefined
    isCut = true
    return 'half write'
  }
  const lease = await store.lease('retention', 60_000)
  expect(isCut).toBe(true)
  expect(await lease?.renew()).toBe(true)
  expect(await store.lease('retention', 60_000)).toBe(undefined)
})

it('does not take the page of a network that asks its guests to sign in for an answer of the bucket', async () => {
  const { url } = newBucket()
  const storage = new S3ObjectStorage(toS3Location(url), { attempts: 2 })
  world.fault = () => 'nonsense'
  await expect(storage.put('object', Buffer.from('content'))).rejects.toMatchObject({
    code: 'GOLDENRUN_STORAGE',
    message:
      `${storage.place}: the storage failed 2 times in a row, the last time with: ` +
      'status 200 without an ETag, which an object storage sends. Try again later.',
  })
})

it('stores nothing of a run once it was abandoned, while it waits for the lease of another process', { timeout: 120_000 }, async () => {
  const { url } = newBucket()
  const [store, other] = [openStore(url), openStore(url)]
  const lost: string[] = []
  store.reports((id) => void lost.push(id))
  const lease = await other.lease('index', 120_000)
  const from = world.requests.length
  let isCut = false
  // What was cut is replaced under the lease.
  world.fault = ({ key }) => {
    if (isCut || !key.endsWith('.pack')) return undefined
    isCut = true
    return 'half write'
  }
  writeRun(store, sampleRun(1))
  const asksForLease = (): boolean => world.requests.slice(from).some(({ key }) => key.includes('leases/index/'))
  await vi.waitUntil(asksForLease, { timeout: 60_000 })
  store.abandon()
  await lease?.release()
  await store.flush().catch(() => undefined)
  expect(lost).toEqual([idOf(1)])
  expect(await openStore(url).list()).toEqual([])
})
