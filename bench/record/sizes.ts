/** How much the suite measures. */
export interface Sizes {
  /** How many calls a round makes, by kind. */
  readonly calls: Readonly<Record<'json' | 'sse' | '100k', number>>
  readonly rounds: number
  readonly warmUp: number
  /** Runs of three calls with an answer after 200 ms. */
  readonly slowRuns: number
  /** Steps of the conversations whose logs are measured. */
  readonly conversations: readonly number[]
  /** Runs in the index in which runs are looked for. */
  readonly indexedRuns: number
}

export const FULL: Sizes = {
  calls: { json: 150, sse: 30, '100k': 100 },
  rounds: 15,
  warmUp: 2,
  slowRuns: 400,
  conversations: [20, 50, 100, 300],
  indexedRuns: 1_000_000,
}

export const QUICK: Sizes = {
  calls: { json: 5, sse: 5, '100k': 5 },
  rounds: 1,
  warmUp: 0,
  slowRuns: 10,
  conversations: [5, 20],
  indexedRuns: 5_000,
}
