/** How much the suite measures. */
export interface RunnerSizes {
  /** Test files of a kind that run one after the other: each in its own worker, and all in one worker. */
  readonly files: number
  readonly warmFiles: number
  /** Goldens that run together. */
  readonly many: number
  /** The most rounds of each measurement. */
  readonly rounds: number
  readonly imports: number
  /** No round starts after a measurement has taken this long, once one is done: a busy machine gets fewer rounds, not a longer bench. */
  readonly seconds: number
  /** Whether the packages that the suite compares with may be installed. */
  readonly mayInstall: boolean
}

/** Takes at most five minutes on an idle machine. */
export const FULL: RunnerSizes = { files: 12, warmFiles: 40, many: 100, rounds: 7, imports: 15, seconds: 45, mayInstall: true }

/** Everything once, and small, to see whether the suite works at all. Its figures mean nothing. */
export const QUICK: RunnerSizes = { files: 2, warmFiles: 2, many: 2, rounds: 1, imports: 1, seconds: 0, mayInstall: false }
