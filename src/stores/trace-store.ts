import type { Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { RunQuery, RunSummary } from './run-summary.ts'

/**
 * Where recordings live. What is optional is a capability: a store that cannot do it leaves the method out, and what needs it says so by name.
 * `goldenrun/testing` holds the checks that every store has to pass.
 */
export interface TraceStore {
  /** Begins a recording. Called on the agent's way: it has to return at once. */
  open(header: RunRow): TraceWriter
  /** The ids of its recordings, oldest first. */
  list(): Promise<string[]>
  /** A recording as JSON Lines, or undefined when it has none of that id. */
  read(id: string): Promise<StoredTrace | undefined>
  /**
   * Takes what is known of a run, when it began and when it ended, for a look-up that reads no recordings. Called on the agent's way: it has to
   * return at once, and must not throw. What comes later of a run takes the place of what came before.
   */
  index?(summary: RunSummary): void
  /**
   * Where a recording lies, or will: a URI, as telemetry has it. Called on the agent's way: it has to return at once, and must not throw. Without
   * it the recording's id stands for it.
   */
  locate?(id: string): string
  /**
   * Finds runs, the newest first.
   *
   * @param onReading Told now and then how many recordings were read of how many that have to be, where that takes reading them.
   */
  find?(query: RunQuery, onReading?: (read: number, of: number) => void): Promise<FoundRuns>
  /** The header of a recording and the rows of one of its steps, from its call to its settling, found without reading the others. None where there is no such step. */
  readStep?(id: string, step: number): Promise<Row[]>
  /** Removes a recording and whatever belongs to it. Whether there was one. */
  remove?(id: string): Promise<boolean>
  /** Marks a recording for a person to look at, whether it has ended or not. Whether there is one. */
  flag?(id: string, reason: string): Promise<boolean>
  /** Writes what waits to be written, and rejects where that cannot be. The store can be used again after it. */
  flush?(): Promise<void>
  /**
   * Is given what to call for a recording that could not be kept, where that shows only after its writer was closed: its run then counts as failed. A
   * store that does nothing later leaves it out.
   */
  reports?(onFailure: (id: string, error: unknown) => void): void
}

/** Runs that were found. */
export interface FoundRuns {
  readonly runs: readonly RunSummary[]
  /** The ids of recordings that cannot be read: whether they would be among them is not known. */
  readonly unreadable: readonly string[]
  /** Why it took reading every recording, where it did: in a sentence. */
  readonly scanned?: string
}

/** A recording as it lies in its store. */
export interface StoredTrace {
  /** What an error message calls it: a path. */
  readonly file: string
  /** JSON Lines. */
  readonly text: string
  /** Why persons flagged the run, in order. Default: nobody did. */
  readonly flags?: readonly string[]
}

/** Takes the rows of one recording, in order; the values in them are recorded and redacted. Rows share objects, which may not be changed. */
export interface TraceWriter {
  write(row: Row): void
  /** Returns once what was written is with the operating system. */
  flush(): void
  /** Flushes, and lets go of what it holds. Throws what failed since it was opened, if anything did: `write` and `flush` never do. */
  close(): void
  /** Instead of `close`: lets go, and leaves nothing of the recording behind. A capability, which sampling needs. */
  discard?(): void
}
