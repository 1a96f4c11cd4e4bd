/** How much the suite measures. */
export interface Sizes {
  /** The fewest calls of a round, by kind: rounds of few small calls measure a process that is waking up. */
  readonly calls: Readonly<Record<'json' | 'sse' | '100k', number>>
  /** How often processes are restarted, and how many rounds each runs of each kind. */
  readonly blocks: number
  readonly rounds: number
  readonly warmUp: number
  /** Warm-up runs of each kind in a new process, before it is measured. */
  readonly warmUpRuns: Readonly<Record<'json' | 'sse' | '100k', number>>
  /** The major version of the oldest supported Node, which is measured as well. */
  readonly oldest: number | undefined
  /** All contestants take part only every this many rounds. */
  readonly othersEvery: number
  /** Blocks of runs with three calls answered after 200 ms each, and the runs per block. */
  readonly slowBlocks: number
  readonly slowRuns: number
  /** How often runs with side effects are compared with runs without. */
  readonly sideEffectRounds: number
  /** Runs that are recorded at full speed. */
  readonly ingestRuns: number
  /** Steps of the conversations whose logs are measured. */
  readonly conversations: readonly number[]
  /** Runs of twelve and of 300 model calls in which the size of headers is measured. A pack's dictionary takes fifty runs. */
  readonly headerRuns: Readonly<Record<'12' | '300', number>>
  /** How often each process holds the longest conversation to measure recording it, and how often to warm up. */
  readonly conversationRounds: number
  readonly warmUpConversations: number
  /** How many of the real runs are used. */
  readonly realRuns: number
  /** Runs in the index that look-ups search. */
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
  headerRuns: { 12: 60, 300: 2 },
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
  headerRuns: { 12: 2, 300: 1 },
  conversationRounds: 1,
  warmUpConversations: 0,
  realRuns: 2,
  indexedRuns: 5_000,
  lookupRounds: 1,
}
