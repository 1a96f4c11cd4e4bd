import type { Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { RunQuery, RunSummary } from './run-summary.ts'

/**
 * Where recordings are stored. Optional methods are capabilities: a store leaves out what it cannot do, and features that need it name it
 * in an error. `goldenrun/testing` has the checks that every store has to pass.
 */
export interface TraceStore {
  /** Begins a recording. Called on the agent's hot path, so it has to return immediately. */
  open(header: RunRow): TraceWriter
  /** The ids of its recordings, oldest first. */
  list(): Promise<string[]>
  /** A recording as JSON Lines, or undefined if there is none of that id. */
  read(id: string): Promise<StoredTrace | undefined>
  /**
   * Indexes a run's summary, when it begins and when it ends, for look-ups without reading recordings. Called on the agent's hot path: it
   * has to return immediately and must not throw. Later summaries of a run replace earlier ones.
   */
  index?(summary: RunSummary): void
  /**
   * The present or future location of a recording, as a URI for telemetry. Called on the agent's hot path: it has to return immediately and
   * must not throw. Without it, the recording's id is used.
   */
  locate?(id: string): string
  /**
   * Finds runs, the newest first.
   *
   * @param onReading Called with the progress, if recordings have to be read.
   */
  find?(query: RunQuery, onReading?: (read: number, of: number) => void): Promise<FoundRuns>
  /**
   * The header of a recording and the rows of one of its steps, from its call to its settling, found without reading the others. Empty if
   * there is no such step.
   */
  readStep?(id: string, step: number): Promise<Row[]>
  /** Removes a recording and everything that belongs to it. Resolves to whether there was one. */
  remove?(id: string): Promise<boolean>
  /** Flags a recording for review, whether it has ended or not. Resolves to whether there is one. */
  flag?(id: string, reason: string): Promise<boolean>
  /** Writes buffered data, and rejects if that fails. The store can be used afterwards. */
  flush?(): Promise<void>
  /**
   * Sets a callback for recordings that could not be stored, if that only shows after the writer was closed: such a run counts as failed.
   * Stores without deferred work leave it out.
   */
  reports?(onFailure: (id: string, error: unknown) => void): void
}

/** The result of `find`. */
export interface FoundRuns {
  readonly runs: readonly RunSummary[]
  /** The ids of unreadable recordings, which may or may not match. */
  readonly unreadable: readonly string[]
  /** Why every recording had to be read, if so, as a sentence. */
  readonly scanned?: string
}

/** A recording as stored. */
export interface StoredTrace {
  /** Its name in error messages: a path. */
  readonly file: string
  /** JSON Lines. */
  readonly text: string
  /** The reasons for which users flagged the run, in order. Default: none. */
  readonly flags?: readonly string[]
}

/** Writes the rows of one recording, in order. Values are in recorded form and redacted. Rows share objects, which must not be changed. */
export interface TraceWriter {
  write(row: Row): void
  /** Returns once everything written has been passed to the operating system. */
  flush(): void
  /** Flushes, and releases its resources. Throws what failed since it was opened, if anything did; `write` and `flush` never throw. */
  close(): void
  /** Instead of `close`: releases its resources and removes the recording. A capability that sampling needs. */
  discard?(): void
}
