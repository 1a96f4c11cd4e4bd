import { createS3Store } from '../../src/fleet/create-s3-store.ts'
import { FleetIndex } from '../../src/fleet/index/fleet-index.ts'
import { S3ObjectStorage } from '../../src/fleet/storage/s3-object-storage.ts'
import { toS3Location } from '../../src/fleet/storage/s3-location.ts'
import type { RunQuery } from '../../src/stores/run-summary.ts'
import { type S3World, startS3World } from '../../test/fleet/world/s3-world.ts'
import { createRunMaker } from '../../test/fleet/world/synthetic-runs.ts'

/** The cost of a search. */
export interface Search {
  readonly milliseconds: number
  readonly requests: number
  readonly bytes: number
}

/** Searches among the runs of a week, each by a process without any cache. */
export interface FindingFigures {
  /** The failed runs of a day. */
  readonly day: Search
  /** The failed runs of the week. */
  readonly week: Search
  /** A run by its trace id, in the week. */
  readonly trace: Search
  /** A tool that no run of the week called. */
  readonly none: Search
}

const HOUR = 3_600_000
/** The number of runs per written index. */
const TOGETHER = 1000

/**
 * Writes the index of runs, compacts its hours, and searches it.
 *
 * @param hours The number of hours that the runs are spread over: a week's.
 */
export async function measureFinding(note: (line: string) => void, runs: number, hours: number): Promise<FindingFigures> {
  await using world = await startS3World()
  const start = Math.floor((Date.now() - (hours + 2) * HOUR) / HOUR) * HOUR
  const every = (hours * HOUR) / runs
  const maker = await createRunMaker({ start, every, texts: 200 })
  note(`Writing the index of ${runs} runs.`)
  const index = new FleetIndex(new S3ObjectStorage(toS3Location(world.url)))
  for (let hour = 0; hour < hours; hour += 1) {
    const [from, to] = [Math.ceil((hour * HOUR) / every), Math.ceil(((hour + 1) * HOUR) / every)]
    for (let first = from; first < to; first += TOGETHER) await addRuns(index, maker.summarize, first, Math.min(to, first + TOGETHER))
    // A shipper does this when an hour is over.
    await createS3Store(world.url).compact('9')
  }
  note('Searching.')
  const end = start + hours * HOUR
  const since = (last: number): string => new Date(end - last * HOUR).toISOString()
  const traceId = maker.summarize(runs >>> 1).traceId
  return {
    day: await search(world, { status: 'threw', since: since(24) }),
    week: await search(world, { status: 'threw', since: since(hours) }),
    trace: await search(world, { traceId, since: since(hours) }),
    none: await search(world, { tool: 'nothing', since: since(hours) }, 0),
  }
}

async function addRuns(
  index: FleetIndex,
  summarize: (number: number) => Parameters<FleetIndex['add']>[2][number]['summary'],
  from: number,
  to: number,
): Promise<void> {
  const runs = Array.from({ length: to - from }, (_, place) => {
    const summary = summarize(from + place)
    const pack = `runs/successful/packs/${summary.id.slice(0, 11)}/${summary.id.slice(-8, -2).padStart(32, '0')}.pack`
    return { summary, place: { pack, offset: 8 + (place % 100) * 2000, length: 2000, encoding: 'lines' as const } }
  })
  for (const [hour, members] of Map.groupBy(runs, ({ summary }) => summary.id.slice(0, 11)))
    for (const [status, some] of Map.groupBy(members, ({ summary }) => summary.status))
      await index.add(status === 'threw' ? 'failed' : 'successful', hour, some)
}

async function search(world: S3World, query: RunQuery, least = 1): Promise<Search> {
  const [before, started] = [world.requests.length, performance.now()]
  const { runs } = await createS3Store(world.url).find(query)
  if (runs.length < least) throw new Error(`No run was found by ${JSON.stringify(query)}.`)
  const milliseconds = performance.now() - started
  const seen = world.requests.slice(before)
  return { milliseconds, requests: seen.length, bytes: seen.reduce((sum, { bytes }) => sum + bytes, 0) }
}
