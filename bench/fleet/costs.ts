/** What a fleet is and what it pays. */
export interface CostsInput {
  readonly runsPerDay: number
  /** How long runs are kept, in days. */
  readonly days: number
  /** What a run takes in the bucket, index included. */
  readonly bytesPerRun: number
  /** Requests that write or list, a run. */
  readonly writesPerRun: number
  /** Requests that read, a run. */
  readonly readsPerRun: number
  /** A gigabyte (10⁹ bytes) stored for a month. */
  readonly pricePerGigabyte: number
  /** A thousand requests that write or list. */
  readonly pricePerThousandWrites: number
  /** A thousand requests that read. */
  readonly pricePerThousandReads: number
}

/** A line of the costs of a month. */
export interface Cost {
  readonly item: 'storage' | 'writes' | 'reads'
  /** Gigabytes, or requests. */
  readonly amount: number
  readonly cost: number
}

const DAYS_OF_MONTH = 30

/** The costs of a month, once the oldest runs are removed as new ones come. Transfer out of the bucket's region is not among them. */
export function costsOfMonth(input: CostsInput): readonly Cost[] {
  const { runsPerDay, days, bytesPerRun, pricePerGigabyte } = input
  const gigabytes = (runsPerDay * days * bytesPerRun) / 1e9
  const requests = (item: 'writes' | 'reads', perRun: number, price: number): Cost => {
    const amount = runsPerDay * DAYS_OF_MONTH * perRun
    return { item, amount, cost: (amount / 1000) * price }
  }
  return [
    { item: 'storage', amount: gigabytes, cost: gigabytes * pricePerGigabyte },
    requests('writes', input.writesPerRun, input.pricePerThousandWrites),
    requests('reads', input.readsPerRun, input.pricePerThousandReads),
  ]
}
