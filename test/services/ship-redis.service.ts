import { afterAll, beforeAll, expect, it } from 'vitest'
import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { Shipper } from '../../src/fleet/shipper.ts'
import { createRedisStore, type RedisStore } from '../../src/stores/redis.ts'
import { type S3World, startS3World } from '../fleet/world/s3-world.ts'
import { createRunMaker, type RunMaker, toStoredLog } from '../fleet/world/synthetic-runs.ts'
import { type Service, startRedis } from '../support/services.ts'

const HOUR = 3_600_000
const COUNT = 130

let redis: Service
let world: S3World
let maker: RunMaker
const opened: RedisStore[] = []
beforeAll(async () => {
  redis = await startRedis()
  world = await startS3World()
  maker = await createRunMaker({ start: Math.floor((Date.now() - 30 * HOUR) / HOUR) * HOUR, every: 20_000 })
}, 120_000)
afterAll(async () => {
  for (const store of opened) store.close()
  await world[Symbol.asyncDispose]()
  await redis[Symbol.asyncDispose]()
})

function openRedis(prefix: string): RedisStore {
  const store = createRedisStore({ url: `redis://127.0.0.1:${redis.port}`, prefix })
  opened.push(store)
  return store
}

async function fill(prefix: string): Promise<readonly string[]> {
  const store = openRedis(prefix)
  const ids: string[] = []
  for (let number = 0; number < COUNT; number += 1) {
    const run = maker.make(number)
    await store.adopt(toStoredLog(run), run.summary)
    ids.push(run.summary.id)
  }
  await store.flush()
  return ids.toSorted()
}

const bucketFor = (name: string): string => world.url.replace('/fleet', `/${name}`)

it('ships every run of a Redis to a bucket, as it was recorded', { timeout: 120_000 }, async () => {
  const ids = await fill('whole')
  const shipped = await new Shipper(openRedis('whole'), createS3Store(bucketFor('whole'))).ship()
  expect(shipped).toEqual({ runs: COUNT, waiting: 0, unreadable: [] })
  const bucket = createS3Store(bucketFor('whole'))
  expect((await bucket.list()).toSorted()).toEqual(ids)
  expect(await openRedis('whole').list()).toEqual([])
  for (const number of [0, 64, COUNT - 1]) {
    const { summary, lines } = maker.make(number)
    expect((await bucket.read(summary.id))?.text).toBe(lines)
  }
})

it('keeps in Redis what the bucket does not take, and ships it once after that', { timeout: 120_000 }, async () => {
  const ids = await fill('refused')
  const url = bucketFor('refused')
  world.fault = ({ method, key }) => (method === 'PUT' && key.endsWith('.pack') ? 507 : undefined)
  const refused = new Shipper(openRedis('refused'), createS3Store({ url, attempts: 2 })).ship()
  await expect(refused).rejects.toThrow(expect.objectContaining({ code: 'GOLDENRUN_STORAGE', problem: 'unavailable' }))
  expect((await openRedis('refused').list()).toSorted()).toEqual(ids)
  world.fault = () => undefined
  await new Shipper(openRedis('refused'), createS3Store(url)).ship()
  expect((await createS3Store(url).list()).toSorted()).toEqual(ids)
  expect(await openRedis('refused').list()).toEqual([])
})

it('is shipped by one of two shippers that begin at once', { timeout: 120_000 }, async () => {
  const ids = await fill('twice')
  const url = bucketFor('twice')
  const passes = await Promise.all([1, 2].map(async () => new Shipper(openRedis('twice'), createS3Store(url)).ship()))
  expect(passes.filter(({ isBusy }) => isBusy)).toHaveLength(1)
  expect(passes.reduce((sum, { runs }) => sum + runs, 0)).toBe(COUNT)
  expect((await createS3Store(url).list()).toSorted()).toEqual(ids)
})
