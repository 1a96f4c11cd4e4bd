import { PACK_SIZE } from './fleet-writer.ts'

/** Requests to a bucket. Removing an object is free. */
export interface Requests {
  /** Those that write or list: they have one price. */
  readonly writes: number
  readonly reads: number
}

/** Runs that share packs: those of one class and one version of an agent. */
export interface RunGroup {
  readonly className: string
  /** How many runs of it there are. */
  readonly runs: number
}

/** What a fleet is and what it pays. */
export interface CostsInput {
  readonly runsPerDay: number
  /** How long runs are kept, in days. */
  readonly days: number
  /** What a run takes in the bucket, index included. */
  readonly bytesPerRun: number
  /** Requests of an hour. */
  readonly requestsPerHour: Requests
  readonly prices: Prices
}

/** In any currency. */
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

/** The costs of a month, once the oldest runs are removed as new ones come. Transfer out of the bucket's region is not among them. */
export function costsOfMonth({ runsPerDay, days, bytesPerRun, requestsPerHour, prices }: CostsInput): readonly Cost[] {
  const gigabytes = (runsPerDay * days * bytesPerRun) / 1e9
  const [writes, reads] = [requestsPerHour.writes * HOURS_OF_MONTH, requestsPerHour.reads * HOURS_OF_MONTH]
  return [
    { item: 'storage', amount: gigabytes, cost: gigabytes * prices.gigabyteMonth },
    { item: 'writes', amount: writes, cost: (writes / 1000) * prices.thousandWrites },
    { item: 'reads', amount: reads, cost: (reads / 1000) * prices.thousandReads },
  ]
}

/** To compact an hour of a class: two objects, a renewed lease, and five listings. */
const TO_COMPACT = 8
/** What a machine lists once an hour for each class: the packs and indexes of the hour. */
const OF_MACHINE_AND_CLASS = 3
/** And for all of them: the classes, and a lease that it asks for, takes and gives back. */
const OF_MACHINE = 6

/**
 * The requests that an hour of runs takes: a pack is written and read back, an index is written by each pass and read when the hour is
 * compacted.
 *
 * @param groups The runs of the hour.
 * @param passes How often a shipper looks for runs within it.
 * @param machines How many ship, each its share.
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
