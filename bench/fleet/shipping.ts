import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { Shipper } from '../../src/fleet/shipper.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { createRedisStore } from '../../src/stores/redis.ts'
import type { Spool } from '../../src/fleet/shipper.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import { startS3World } from '../../test/fleet/world/s3-world.ts'
import { createRunMaker, toStoredLog } from '../../test/fleet/world/synthetic-runs.ts'
import { startRedis } from '../../test/support/services.ts'
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts'

/** The cost of shipping runs. */
export interface ShippingFigures {
  readonly origin: string
  /** From a directory, per second of CPU time of one core. */
  readonly runsPerSecond: number
  readonly requestsPerRun: number
  readonly bytesPerRun: number
  readonly indexBytesPerRun: number
  readonly logBytesPerRun: number
  /** The requests that write or list. */
  readonly writesPerRun: number
  readonly linesPerRun: number
  /** From Redis, per second of CPU time. */
  readonly fromRedis: number
}

const HOUR = 3_600_000

/** Ships runs of one hour from a directory, and the same number from a real Redis. */
export async function measureShipping(note: (line: string) => void, runs: number): Promise<ShippingFigures> {
  await using world = await startS3World()
  await using directory = await createTemporaryDirectory()
  const start = Math.floor((Date.now() - 30 * HOUR) / HOUR) * HOUR
  const maker = await createRunMaker({ start, every: HOUR / 58_333 })
  let [logBytes, lineBytes, requests] = [0, 0, 0]
  const fill = async (spool: Spool): Promise<void> => {
    for (let number = 0; number < runs; number += 1) {
      const run = maker.make(number)
      const log = toStoredLog(run)
      logBytes += log.size / 2
      lineBytes += Buffer.byteLength(run.lines) / 2
      await spool.adopt?.(log, run.summary)
    }
    await spool.flush?.()
  }
  const ship = async (spool: Spool, url: string): Promise<number> => {
    const [before, cpu] = [world.requests.length, process.cpuUsage()]
    const bucket = createS3Store(url)
    const { runs: shipped } = await new Shipper(spool, bucket).ship()
    await bucket.compact('9')
    if (shipped !== runs) throw new Error(`${shipped} of ${runs} runs were shipped.`)
    const { user, system } = process.cpuUsage(cpu)
    requests = world.requests.length - before
    return runs / ((user + system) / 1e6)
  }
  note(`Shipping ${runs} runs from a directory.`)
  const spool = createDirectoryStore(directory.resolve('runs'))
  await fill(spool)
  const runsPerSecond = await ship(spool, world.url)
  const requestsPerRun = requests / runs
  const writes = world.requests.slice(-requests).filter(({ method, key }) => method === 'PUT' || key === '')
  const sizes = await sizesIn(world.url)
  note(`Shipping ${runs} runs from a Redis.`)
  await using redis = await startRedis()
  const store = createRedisStore({ url: `redis://127.0.0.1:${redis.port}` })
  await fill(store)
  const fromRedis = await ship(store, world.url.replace('/fleet', '/redis'))
  store.close()
  return {
    origin: maker.origin,
    runsPerSecond,
    requestsPerRun,
    bytesPerRun: sizes.packs / runs,
    indexBytesPerRun: sizes.index / runs,
    logBytesPerRun: logBytes / runs,
    linesPerRun: lineBytes / runs,
    writesPerRun: writes.length / runs,
    fromRedis,
  }
}

async function sizesIn(url: string): Promise<{ readonly packs: number; readonly index: number }> {
  const sizes = { packs: 0, index: 0 }
  for await (const page of new S3ObjectStorage(toS3Location(url)).list({ prefix: 'runs/' }))
    for (const { key, size } of page) sizes[key.endsWith('.pack') ? 'packs' : 'index'] += size
  return sizes
}
