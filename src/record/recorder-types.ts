import type { RunOptions } from './recorder-options.ts'

/**
 * Counts of what a recorder did since it was made. Each run that was begun is counted at one place: `begun` is the sum of `active`, `watching`, `writing`,
 * `recorded`, `sampledOut`, `cut`, `failed` and `lost`.
 */
export interface RecorderStats {
  /** Runs that were begun, but for those within another run and after `close`. */
  readonly begun: number
  /** Runs recorded to their end, and kept. */
  readonly recorded: number
  /** Runs under way. */
  readonly active: number
  /** Runs that have settled and are watched for what they left behind. */
  readonly watching: number
  /** Runs that have ended and are not written to their end yet. */
  readonly writing: number
  /** Runs that could not be recorded; they ran all the same. */
  readonly failed: number
  /** Runs that had ended and were not written when `close` had waited as long as it may. One that is written after all counts as recorded then. */
  readonly lost: number
  /** Runs that were flagged, by the agent or for a repeated side effect. */
  readonly flagged: number
  /** Runs that `sample` left out: that were not recorded at all, or recorded and not kept. */
  readonly sampledOut: number
  /** Runs whose recording ended before them: they went beyond a limit, or the recorder was closed. */
  readonly cut: number
  /** Runs of which the store could not index the summary. They are recorded, and the next look-up reads their recordings. */
  readonly unindexed: number
  /** Bytes of the process's runs that are not written yet. */
  readonly waitingBytes: number
}

/** Records runs of agents. */
export interface Recorder {
  /**
   * Runs an agent and records what crosses its boundary. Resolves to what `agent` returns and rejects with what it throws, whatever becomes
   * of the recording. Where the agent hands out a stream, an async iterable or a Response, its recording ends when that has been consumed.
   */
  run<Input, Context, Output>(
    options: RunOptions<Input, Context>,
    agent: (input: Input, context: Context) => Output,
  ): Promise<Awaited<Output>>
  /** Resolves once the thread that writes recordings has started, so that no run is written on the agent's; at once where there is none. */
  start(): Promise<void>
  stats(): RecorderStats
  /** Resolves once what was recorded so far is written, the store's own waiting included, or after `limits.closeMilliseconds`. */
  flush(): Promise<void>
  /** Writes what is still to be written, for `limits.closeMilliseconds` at the most, and takes the recorder's hands off the process. Runs under way go on unrecorded. */
  close(): Promise<void>
}
