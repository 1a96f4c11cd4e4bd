/** How much the suite measures. */
export interface RunnerSizes {
  /** Test files of a kind that run one after the other, each in a worker of its own, and all in one. */
  readonly files: number
  readonly warmFiles: number
  /** Goldens that run together. */
  readonly many: number
  /** How often each is measured, at most. */
  readonly rounds: number
  readonly imports: number
  /** No round begins when a measurement has taken so long, where one is done: a busy machine gets fewer rounds, not a longer bench. */
  readonly seconds: number
  /** Whether what the suite measures against may be installed. */
  readonly mayInstall: boolean
}

/** Five minutes at most, on a machine that does nothing else. */
export const FULL: RunnerSizes = { files: 12, warmFiles: 40, many: 100, rounds: 7, imports: 15, seconds: 45, mayInstall: true }

/** Everything once, and small: whether the suite works at all. Its figures say nothing. */
export const QUICK: RunnerSizes = { files: 2, warmFiles: 2, many: 2, rounds: 1, imports: 1, seconds: 0, mayInstall: false }
