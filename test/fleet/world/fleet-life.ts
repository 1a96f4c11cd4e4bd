import { isDeepStrictEqual } from 'node:util'
import { createS3Store } from '../../../src/fleet/create-s3-store.ts'
import { Shipper } from '../../../src/fleet/shipper.ts'
import { S3ObjectStorage } from '../../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../../src/fleet/storage/s3-location.ts'
import { RetentionTimer } from '../../../src/record/retention/retention-timer.ts'
import type { RunQuery } from '../../../src/stores/run-summary.ts'
import type { Random } from '../../support/random.ts'
import { createMadeSpool } from './made-spool.ts'
import { type S3World, startS3World } from './s3-world.ts'
import { createRunMaker, type RunMaker } from './synthetic-runs.ts'

/** What something took. */
export interface Traffic {
  readonly seconds: number
  readonly requests: number
  /** In the bodies of requests and answers. */
  readonly bytes: number
}

/** What became of a fleet's runs. */
export interface FleetLife {
  readonly runs: number
  /** What the runs were made from. */
  readonly origin: string
  /** From the spool to the bucket, and read back. */
  readonly shipping: Traffic
  readonly compacting: Traffic
  /** By what was looked for. */
  readonly finding: Readonly<Record<string, Traffic>>
  readonly ageing: Traffic
  /** What the bucket holds once everything is compacted, in bytes. */
  readonly stored: { readonly packs: number; readonly index: number; readonly dictionaries: number }
  /** What must not be. */
  readonly faults: readonly string[]
}

/** In which all runs start, in milliseconds: twenty hours, so that a tenth of them fill whole hours as well. A million are as dense as 1.2 million a day. */
const SPAN = 72_000_000
/** How many texts the runs have: each run is compressed on its own, so equal texts make no run smaller. */
const TEXTS = 1000
const HOUR = 3_600_000

/** A fleet lives twice: a tenth of its runs, then all of them, as dense. */
export async function liveTwice(
  runs: number,
  random: Random,
  note: (line: string) => void = () => undefined,
): Promise<readonly [few: FleetLife, many: FleetLife]> {
  const every = Math.max(1, Math.round(SPAN / runs))
  return [await liveFleet(runs / 10, every, random, note), await liveFleet(runs, every, random, note)]
}

/** Ships runs, compacts their index, looks for some in every way, and removes all of them by retention. */
async function liveFleet(count: number, every: number, random: Random, note: (line: string) => void): Promise<FleetLife> {
  await using world = await startS3World()
  const start = Math.floor((Date.now() - count * every - 26 * HOUR) / HOUR) * HOUR
  const maker = await createRunMaker({ start, every, texts: TEXTS })
  const spool = createMadeSpool(maker, count)
  const faults: string[] = []
  const measure = meter(world)
  let told = 0
  const onShipped = (runs: number): void => {
    if (runs - told < 50_000) return
    told = runs
    note(`${runs} of ${count} runs are shipped`)
  }
  const shipping = await measure(async () => void (await new Shipper(spool, createS3Store(world.url)).ship({ onShipped })))
  if (spool.left > 0) faults.push(`${spool.left} runs are still in the spool`)
  const compacting = await measure(async () => void (await createS3Store(world.url).compact('9')))
  const stored = await sizesIn(world.url)
  note('All runs are shipped; looking for some.')
  const finding = await find(world, maker, count, random, faults)
  note('Removing all of them.')
  const ageing = await measure(async () => {
    const removed = await removeExpired(world.url, faults)
    if (removed !== count) faults.push(`${removed} of ${count} runs were removed`)
  })
  const rest = await sizesIn(world.url)
  if (rest.packs + rest.index > 0) faults.push(`${rest.packs + rest.index} bytes are left of runs that were removed`)
  return { runs: count, origin: maker.origin, shipping, compacting, finding, ageing, stored, faults }
}

type Measure = (work: () => Promise<void>) => Promise<Traffic>

function meter(world: S3World): Measure {
  return async (work) => {
    const [before, started] = [world.requests.length, performance.now()]
    await work()
    const seen = world.requests.slice(before)
    const bytes = seen.reduce((sum, request) => sum + request.bytes, 0)
    return { seconds: (performance.now() - started) / 1000, requests: seen.length, bytes }
  }
}

/** Everything is looked for by a process that knows nothing yet. */
async function find(
  world: S3World,
  maker: RunMaker,
  count: number,
  random: Random,
  faults: string[],
): Promise<Readonly<Record<string, Traffic>>> {
  const chosen = random.whole(0, count - 1)
  const { summary, lines } = maker.make(chosen)
  const measure = meter(world)
  const found: Record<string, Traffic> = {}
  const look = async (name: string, query: RunQuery, expected: readonly string[]): Promise<void> => {
    found[name] = await measure(async () => {
      const ids = (await createS3Store(world.url).find(query)).runs.map(({ id }) => id)
      if (!isDeepStrictEqual(ids, expected)) faults.push(`by ${name} ${ids.length} runs are found, and ${expected.length} match`)
    })
  }
  found['id'] = await measure(async () => {
    if ((await createS3Store(world.url).read(summary.id))?.text !== lines) faults.push(`${summary.id} is not what was shipped`)
  })
  await look('trace id', { traceId: summary.traceId }, [summary.id])
  const user = summary.tags['user'] ?? ''
  await look('tag', { tags: { user } }, numbersOfUser(maker, count, user))
  await look(
    'idempotency key',
    { idempotencyKey: summary.effects?.find(({ key }) => key !== undefined)?.key ?? '' },
    numbersOfUser(maker, count, user),
  )
  await look('class', { status: 'threw', limit: 100 }, newestFailed(maker, count, 100))
  const first = random.whole(0, count - 100)
  const window = { since: maker.summarize(first).startedAt, until: maker.summarize(first + 100).startedAt }
  const within = Array.from({ length: 100 }, (_, index) => maker.summarize(first + 99 - index).id)
  await look('time window', window, within)
  return found
}

function numbersOfUser(maker: RunMaker, count: number, user: string): readonly string[] {
  const ids: string[] = []
  for (let number = count - 1; number >= 0; number -= 1) if (maker.userOf(number) === user) ids.push(maker.summarize(number).id)
  return ids
}

function newestFailed(maker: RunMaker, count: number, most: number): readonly string[] {
  const ids: string[] = []
  for (let number = count - 1; number >= 0 && ids.length < most; number -= 1) {
    const summary = maker.summarize(number)
    if (summary.status === 'threw') ids.push(summary.id)
  }
  return ids
}

/** As the recorder does, pass after pass. */
async function removeExpired(url: string, faults: string[]): Promise<number> {
  const options = { successful: '24h', failed: '24h', flagged: '24h' }
  const retention = new RetentionTimer(createS3Store(url), options, (error) => faults.push(String(error)))
  let removed = 0
  for (let pass = await retention.pass(); pass > 0; pass = await retention.pass()) removed += pass
  retention.close()
  return removed
}

async function sizesIn(url: string): Promise<{ readonly packs: number; readonly index: number; readonly dictionaries: number }> {
  const sizes = { packs: 0, index: 0, dictionaries: 0 }
  for await (const page of new S3ObjectStorage(toS3Location(url)).list({ prefix: '' }))
    for (const { key, size } of page) {
      if (key.endsWith('.pack')) sizes.packs += size
      if (key.endsWith('.parquet') || key.endsWith('.terms')) sizes.index += size
      if (key.endsWith('.dictionary')) sizes.dictionaries += size
    }
  return sizes
}
