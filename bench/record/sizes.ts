/** How much the suite measures. */
export interface Sizes {
  /** How many calls a round makes, by kind. */
  readonly calls: Readonly<Record<'json' | 'sse' | '100k', number>>
  readonly rounds: number
  readonly warmUp: number
  /** Every so many rounds, those take part that are measured beside. */
  readonly othersEvery: number
  /** Blocks of runs of three calls with an answer after 200 ms, and runs in each. */
  readonly slowBlocks: number
  readonly slowRuns: number
  /** Runs that are recorded as fast as they come. */
  readonly ingestRuns: number
  /** Steps of the conversations whose logs are measured. */
  readonly conversations: readonly number[]
  /** How many of the real runs. */
  readonly realRuns: number
  /** Runs in the index in which runs are looked for. */
  readonly indexedRuns: number
}

export const FULL: Sizes = {
  calls: { json: 150, sse: 30, '100k': 100 },
  rounds: 15,
  warmUp: 2,
  othersEvery: 3,
  slowBlocks: 40,
  slowRuns: 32,
  ingestRuns: 128,
  conversations: [20, 50, 100, 300],
  realRuns: 32,
  indexedRuns: 1_000_000,
}

export const QUICK: Sizes = {
  calls: { json: 5, sse: 5, '100k': 5 },
  rounds: 1,
  warmUp: 0,
  othersEvery: 1,
  slowBlocks: 2,
  slowRuns: 2,
  ingestRuns: 4,
  conversations: [5, 20],
  realRuns: 2,
  indexedRuns: 5_000,
}
