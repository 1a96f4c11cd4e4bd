import type { Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { RepeatedEffect, RunQuery, RunSummary } from './run-summary.ts'

/**
 * Where recordings are stored. Optional methods are capabilities: a store leaves out what it cannot do, and features that need it name it
 * in an error. `goldenrun/testing` has the checks that every store has to pass.
 */
export interface TraceStore {
  /** Begins a recording. Called on the agent's hot path, so it has to return immediately. */
  open(header: RunRow): TraceWriter
  /**
   * The ids of its recordings, oldest first.
   *
   * @param query What is wanted of them. A store that cannot narrow a listing may ignore it: callers use `listIds`, which narrows what it gets.
   */
  list(query?: ListQuery): Promise<string[]>
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
   * Finds side effects that several of the runs that match made, the one repeated last first. Without it they are found among all
   * summaries that `find` finds.
   *
   * @param query `limit` is how many side effects. Default: all.
   */
  findRepeatedEffects?(query: RunQuery, onReading?: (read: number, of: number) => void): Promise<FoundEffects>
  /**
   * The header of a recording and the rows of one of its steps, from its call to its settling, found without reading the others. Empty if
   * there is no such step.
   */
  readStep?(id: string, step: number): Promise<Row[]>
  /** Removes a recording and everything that belongs to it. Resolves to whether there was one. */
  remove?(id: string): Promise<boolean>
  /** Removes recordings and everything that belongs to them. Resolves to the ids of those that there were. */
  removeMany?(ids: readonly string[]): Promise<readonly string[]>
  /** A recording as it is stored: a log, as bytes or as a stream. Undefined if there is none of that id. */
  readLog?(id: string): Promise<StoredLog | undefined>
  /**
   * Stores the finished recording of another store. A recording that it holds already stays as it is, so that repeating it does no harm.
   *
   * @param summary The run's, by which `find` finds it.
   */
  adopt?(log: StoredLog, summary: RunSummary): Promise<void>
  /**
   * Takes a lease, for work that one process at a time does in this store.
   *
   * @param name What the work is: `retention`.
   * @param milliseconds How long it lasts if its holder dies.
   * @returns Undefined while another holds it.
   */
  lease?(name: string, milliseconds: number): Promise<Lease | undefined>
  /**
   * How many bytes its recordings have together, as far as it knows without reading them. Retention by size alone is not looked into
   * while they fit.
   */
  size?(): Promise<number>
  /** Flags a recording for review, whether it has ended or not. Resolves to whether there is one. */
  flag?(id: string, reason: string): Promise<boolean>
  /** Writes buffered data, and rejects if that fails. The store can be used afterwards. */
  flush?(): Promise<void>
  /**
   * Sets a callback for what could not be stored, if that only shows after the writer was closed. Such a run counts as failed, or as missing in the
   * index. Stores without deferred work leave it out.
   */
  reports?(onFailure: OnStoreFailure): void
}

/**
 * Called for a run of which something could not be stored; may be called again for the same run.
 *
 * @param lost `index` if the recording is stored and only the index lacks the run. Default: `recording`.
 */
export type OnStoreFailure = (id: string, error: unknown, lost?: 'recording' | 'index') => void

/** The ids to list. Default of each: all. */
export interface ListQuery {
  /** How they begin. */
  readonly prefix?: string
  /** The newest first. */
  readonly newest?: true
  /** The maximum number. */
  readonly limit?: number
}

/** A log as it is stored. Its rows are the same in every store; a bucket compresses them anew. */
export interface StoredLog {
  readonly id: string
  /** Its name in error messages: a path or a URL, without credentials. */
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** The reasons for which users flagged the run, in order. Default: none. */
  readonly flags?: readonly string[]
  /** The whole of it. */
  bytes(): Promise<Uint8Array>
  /** In pieces, for logs that do not fit in memory. */
  stream(): AsyncIterable<Uint8Array>
}

/** A lease that is held. */
export interface Lease {
  /** Begins its time anew. Resolves to false if it ran out and another holds it. */
  renew(): Promise<boolean>
  /** Gives it back. */
  release(): Promise<void>
}

/** The result of `find`. */
export interface FoundRuns {
  readonly runs: readonly RunSummary[]
  /** The ids of unreadable recordings, which may or may not match. */
  readonly unreadable: readonly string[]
  /** Why every recording had to be read, if so, as a sentence. */
  readonly scanned?: string
}

/** The result of `findRepeatedEffects`. */
export interface FoundEffects extends Omit<FoundRuns, 'runs'> {
  readonly effects: readonly RepeatedEffect[]
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
