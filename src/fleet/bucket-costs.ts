import { PACK_SIZE } from './fleet-writer.ts'

/** Requests to a bucket. Removing an object is free. */
export interface Requests {
  /** Requests that write or list: these share one price. */
  readonly writes: number
  readonly reads: number
}

/** Runs that share packs: runs of one class and of one version of an agent. */
export interface RunGroup {
  readonly className: string
  /** The number of runs in the group. */
  readonly runs: number
}

/** The size of a fleet and the prices it pays. */
export interface CostsInput {
  readonly runsPerDay: number
  /** How long runs are kept, in days. */
  readonly days: number
  /** The size of a run in the bucket, index included. */
  readonly bytesPerRun: number
  /** Requests per hour. */
  readonly requestsPerHour: Requests
  readonly prices: Prices
}

/** Prices, in any currency. */
export interface Prices {
  /** A gigabyte (10⁹ bytes) stored for a month. */
  readonly gigabyteMonth: number
  /** A thousand requests that write or list. */
  readonly thousandWrites: number
  /** A thousand requests that read. */
  readonly thousandReads: number
}

/** A line of the costs of a month. */
export interface Cost {
  readonly item: 'storage' | 'writes' | 'reads'
  /** Gigabytes, or requests. */
  readonly amount: number
  readonly cost: number
}

const DAYS_OF_MONTH = 30
const HOURS_OF_MONTH = DAYS_OF_MONTH * 24

/** Returns the costs of a month in the steady state, when the oldest runs are removed as new ones arrive. Excludes transfer out of the bucket's region. */
export function costsOfMonth({ runsPerDay, days, bytesPerRun, requestsPerHour, prices }: CostsInput): readonly Cost[] {
  const gigabytes = (runsPerDay * days * bytesPerRun) / 1e9
  const [writes, reads] = [requestsPerHour.writes * HOURS_OF_MONTH, requestsPerHour.reads * HOURS_OF_MONTH]
  return [
    { item: 'storage', amount: gigabytes, cost: gigabytes * prices.gigabyteMonth },
    { item: 'writes', amount: writes, cost: (writes / 1000) * prices.thousandWrites },
    { item: 'reads', amount: reads, cost: (reads / 1000) * prices.thousandReads },
  ]
}

/** Requests to compact an hour of a class: two objects, a renewed lease, and five listings. */
const TO_COMPACT = 8
/** Listings of one machine per hour and class: the packs and indexes of the hour. */
const OF_MACHINE_AND_CLASS = 3
/** Requests of one machine per hour for all classes: listing the classes, and looking up, taking and releasing a lease. */
const OF_MACHINE = 6

/**
 * Returns the number of requests that an hour of runs takes: each pack is written and read back. Each pass writes an index, which is read when the hour
 * is compacted.
 *
 * @param groups The runs of the hour.
 * @param passes How often a shipper looks for runs within the hour.
 * @param machines The number of machines that ship, each its share of the runs.
 */
export function requestsOfHour(groups: readonly RunGroup[], passes: number, machines: number): Requests {
  const ofClasses = [...Map.groupBy(groups, ({ className }) => className).values()].map((members): Requests => {
    const packs = members.reduce((sum, { runs }) => sum + machines * Math.ceil(runs / machines / PACK_SIZE), 0)
    const indexes = Math.min(packs, machines * passes)
    return { writes: packs + indexes + TO_COMPACT + machines * OF_MACHINE_AND_CLASS, reads: packs + indexes }
  })
  return ofClasses.reduce((all, { writes, reads }) => ({ writes: all.writes + writes, reads: all.reads + reads }), {
    writes: machines * OF_MACHINE,
    reads: 0,
  })
}
