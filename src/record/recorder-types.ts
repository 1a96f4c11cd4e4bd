import type { RunOptions } from './recorder-options.ts'

/**
 * Counts of a recorder since it was created. Each run that was begun is counted in one place: `begun` is the sum of `active`, `watching`, `writing`,
 * `recorded`, `sampledOut`, `cut`, `failed` and `lost`.
 */
export interface RecorderStats {
  /** Runs that were begun, except those within another run and those after `close`. */
  readonly begun: number
  /** Runs that were recorded to their end and that the store has. */
  readonly recorded: number
  /** Runs under way. */
  readonly active: number
  /** Runs that have settled and are watched for work that they left behind. */
  readonly watching: number
  /** Runs that have ended and that the store is not known to have yet. */
  readonly writing: number
  /**
   * Runs that could not be recorded, that the store lost, or that it had not confirmed when `close` stopped waiting. The agent ran all the same.
   */
  readonly failed: number
  /** Runs that had ended but that the writing thread had not written when `close` stopped waiting. If such a run is written later, it counts as recorded. */
  readonly lost: number
  /** Runs that were flagged, by the agent or for a repeated side effect. */
  readonly flagged: number
  /** Requests that were left out of recordings: telemetry, and those that `mute` names. */
  readonly muted: number
  /** Runs that `sample` left out: not recorded at all, or recorded and not kept. */
  readonly sampledOut: number
  /** Runs whose recording ended before they did: they exceeded a limit, or the recorder was closed. */
  readonly cut: number
  /** Runs whose summary the store could not index. They are recorded, and the next look-up reads their recordings. */
  readonly unindexed: number
  /** Bytes of the process's runs that are not written yet. */
  readonly waitingBytes: number
}

/** Records runs of agents. */
export interface Recorder {
  /**
   * Runs an agent and records everything that crosses its boundary. Resolves to what `agent` returns and rejects with what it throws, even if
   * recording fails. If the agent hands out a stream, an async iterable or a Response, its recording ends when that has been consumed.
   */
  run<Input, Context, Output>(
    options: RunOptions<Input, Context>,
    agent: (input: Input, context: Context) => Output,
  ): Promise<Awaited<Output>>
  /**
   * Resolves once the thread that writes recordings has started, so that the agent's thread writes no run; resolves at once if there is no such
   * thread.
   */
  start(): Promise<void>
  stats(): RecorderStats
  /** Resolves once everything recorded so far is written, including what the store itself holds back, or after `limits.closeMilliseconds`. */
  flush(): Promise<void>
  /**
   * Writes the remaining data, for at most `limits.closeMilliseconds`, and removes the recorder's patches from the process. Runs under way continue
   * unrecorded. If runs are not stored, a warning says how many.
   */
  close(): Promise<void>
}
