import type { RoundsOptions } from '../rounds.ts'

/** How much the suite measures. */
export interface Sizes {
  /** Calls with JSON answers in a run whose steps are timed, and streamed calls where peers are timed. */
  readonly steps: number
  readonly streamedSteps: number
  readonly stepRounds: RoundsOptions
  readonly peerRounds: RoundsOptions
  readonly eightySecondsRounds: RoundsOptions
  readonly growthRounds: RoundsOptions
  /** Steps of the two runs for measuring growth: one is ten times as long as the other. */
  readonly short: number
  readonly long: number
  /** Steps of conversations in which each call resends everything before it. */
  readonly conversations: readonly number[]
  /** The number of replays that are made and dropped. */
  readonly replays: number
  /** For the sizes of goldens: the steps of the conversation, and the number of real runs. */
  readonly goldenSteps: number
  readonly goldenRuns: number
  /** Whether the packages that the suite compares with may be installed. */
  readonly mayInstall: boolean
  /** Whether to refuse a recording that a busy machine has distorted. */
  readonly refusesSpoiled: boolean
}

export const FULL: Sizes = {
  steps: 200,
  streamedSteps: 50,
  stepRounds: { rounds: 41, warmUp: 8, seconds: 35 },
  peerRounds: { rounds: 15, warmUp: 3, seconds: 25 },
  eightySecondsRounds: { rounds: 101, warmUp: 20, seconds: 10 },
  growthRounds: { rounds: 9, warmUp: 2, seconds: 20 },
  short: 300,
  long: 3000,
  conversations: [50, 100, 300],
  replays: 10_000,
  goldenSteps: 300,
  goldenRuns: Infinity,
  mayInstall: true,
  refusesSpoiled: true,
}

const ONCE: RoundsOptions = { rounds: 1, warmUp: 0, seconds: 0 }

/** Everything once, and small, to see whether the suite works at all. Its figures mean nothing. */
export const QUICK: Sizes = {
  steps: 3,
  streamedSteps: 3,
  stepRounds: ONCE,
  peerRounds: ONCE,
  eightySecondsRounds: ONCE,
  growthRounds: ONCE,
  short: 3,
  long: 30,
  conversations: [3],
  replays: 10,
  goldenSteps: 3,
  goldenRuns: 2,
  mayInstall: false,
  refusesSpoiled: false,
}
