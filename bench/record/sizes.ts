/** How much the suite measures. */
export interface Sizes {
  /** How many calls a round makes at least, by kind: rounds of few small ones measure a process that wakes. */
  readonly calls: Readonly<Record<'json' | 'sse' | '100k', number>>
  /** How often processes are started anew, and how many rounds each does of each kind. */
  readonly blocks: number
  readonly rounds: number
  readonly warmUp: number
  /** Runs of each kind that a process does when it has started, before it is measured. */
  readonly warmUpRuns: Readonly<Record<'json' | 'sse' | '100k', number>>
  /** The major version of the oldest Node that is supported, to measure on too. */
  readonly oldest: number | undefined
  /** Every so many rounds, those take part that are measured beside. */
  readonly othersEvery: number
  /** Blocks of runs of three calls with an answer after 200 ms, and runs in each. */
  readonly slowBlocks: number
  readonly slowRuns: number
  /** How often runs of side effects are held against runs of none. */
  readonly sideEffectRounds: number
  /** Runs that are recorded as fast as they come. */
  readonly ingestRuns: number
  /** Steps of the conversations whose logs are measured. */
  readonly conversations: readonly number[]
  /** How often the longest of them is held in each process to see what recording it takes, and how often before that. */
  readonly conversationRounds: number
  readonly warmUpConversations: number
  /** How many of the real runs. */
  readonly realRuns: number
  /** Runs in the index in which runs are looked for. */
  readonly indexedRuns: number
  /** How often each look-up is made. */
  readonly lookupRounds: number
}

export const FULL: Sizes = {
  calls: { json: 960, sse: 60, '100k': 320 },
  blocks: 6,
  rounds: 5,
  warmUp: 1,
  warmUpRuns: { json: 1200, sse: 200, '100k': 100 },
  oldest: 22,
  othersEvery: 3,
  slowBlocks: 12,
  slowRuns: 128,
  sideEffectRounds: 25,
  ingestRuns: 128,
  conversations: [20, 50, 100, 300],
  conversationRounds: 4,
  warmUpConversations: 3,
  realRuns: 32,
  indexedRuns: 1_000_000,
  lookupRounds: 15,
}

export const QUICK: Sizes = {
  calls: { json: 5, sse: 5, '100k': 5 },
  blocks: 1,
  rounds: 1,
  warmUp: 0,
  warmUpRuns: { json: 1, sse: 1, '100k': 1 },
  oldest: undefined,
  othersEvery: 1,
  slowBlocks: 2,
  slowRuns: 2,
  sideEffectRounds: 2,
  ingestRuns: 4,
  conversations: [5, 20],
  conversationRounds: 1,
  warmUpConversations: 0,
  realRuns: 2,
  indexedRuns: 5_000,
  lookupRounds: 1,
}
