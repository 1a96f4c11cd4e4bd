import type { Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { RepeatedEffect, RunQuery, RunSummary } from './run-summary.ts'

/**
 * Where recordings are stored. Optional methods are capabilities: a store leaves out those that it lacks, and a feature that needs one names it
 * in an error. `goldenrun/testing` has the checks that every store has to pass.
 */
export interface TraceStore {
  /** Starts a recording. Called on the agent's hot path, so it has to return immediately. */
  open(header: RunRow): TraceWriter
  /**
   * Lists the ids of its recordings, oldest first.
   *
   * @param query Narrows the listing. A store may ignore it: callers use `listIds`, which narrows the result.
   */
  list(query?: ListQuery): Promise<string[]>
  /** Reads a recording as JSON Lines; undefined if there is none with that id. */
  read(id: string): Promise<StoredTrace | undefined>
  /**
   * Indexes a run's summary, when the run begins and when it ends, for look-ups without reading recordings. Called on the agent's hot path: it
   * has to return immediately and must not throw. Later summaries of a run replace earlier ones.
   */
  index?(summary: RunSummary): void
  /**
   * Returns the present or future location of a recording, as a URI for telemetry. Called on the agent's hot path: it has to return immediately and
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
   * Yields all runs that match, the newest first, for a store in which finding them page by page costs more. Without this method, they are found in
   * pages.
   *
   * @param query Without `limit`, `before` and `sample`.
   * @param told `onReading`: called with the progress, if recordings have to be read. `onUnreadable`: called with the ids of those that cannot be read.
   */
  findAll?(query: RunQuery, told?: ReadingCallbacks): AsyncIterable<RunSummary>
  /**
   * Finds side effects that several of the matching runs made, the most recently repeated first. Without this method, they are found in
   * the summaries that `find` returns.
   *
   * @param query `limit` is the number of side effects. Default: all.
   */
  findRepeatedEffects?(query: RunQuery, onReading?: (read: number, of: number) => void): Promise<FoundEffects>
  /**
   * Returns the header of a recording and the rows of one of its steps, from its call to its settling, without reading the other rows. Empty if
   * there is no such step.
   */
  readStep?(id: string, step: number): Promise<Row[]>
  /** Removes a recording and everything that belongs to it. Resolves to whether there was one. */
  remove?(id: string): Promise<boolean>
  /** Removes recordings and everything that belongs to them. Resolves to the ids that existed. */
  removeMany?(ids: readonly string[]): Promise<readonly string[]>
  /** Reads a recording as stored: a log, as bytes or as a stream. Undefined if there is none with that id. */
  readLog?(id: string): Promise<StoredLog | undefined>
  /**
   * Stores the finished recording of another store. A recording that already exists is left unchanged, so that repeating the call is harmless.
   *
   * @param summary The run's summary, which `find` uses.
   */
  adopt?(log: StoredLog, summary: RunSummary): Promise<void>
  /**
   * Replaces the recording of a run that has ended, and its row in the index. A reader finds the old recording or the new one, also if the process is
   * killed. Resolves to whether there was one.
   *
   * @param log The new recording, under the same id. Its flags are ignored: users' flags stay.
   * @param summary The run's summary without users' flags.
   */
  replace?(log: StoredLog, summary: RunSummary): Promise<boolean>
  /**
   * Reads every recording, and replaces those for which `change` returns another one: for a store in which replacing single ones costs more. If the
   * process is killed, each run is found, with its old recording or its new one, and the next call is passed every old one that is left.
   */
  replaceEach?(change: ChangeRecording, told?: { readonly onShared?: (name: string, text: string) => void }): Promise<void>
  /**
   * Takes a lease on work that only one process at a time may do in this store.
   *
   * @param name The name of the work: `retention`.
   * @param milliseconds How long the lease lasts if its holder dies.
   * @returns Undefined while another process holds it.
   */
  lease?(name: string, milliseconds: number): Promise<Lease | undefined>
  /**
   * Returns the total size of its recordings in bytes, as far as known without reading them. While they fit, retention by size alone
   * looks at no run.
   */
  size?(): Promise<number>
  /** Flags a recording for review, whether the run has ended or not. Resolves to whether the recording exists. */
  flag?(id: string, reason: string): Promise<boolean>
  /** Writes buffered data; rejects if that fails. The store can still be used afterwards. */
  flush?(): Promise<void>
  /**
   * Sets a callback for failures that show only after the writer was closed. Such a run counts as failed, or as missing in the
   * index. Stores without deferred work leave it out.
   */
  reports?(onFailure: OnStoreFailure): void
  /**
   * Called when a recorder no longer waits for the store. Drops the recordings that are not stored, and reports each; ends requests, timers and
   * connections, so that nothing keeps the process alive. Has to return immediately. The store can still be used afterwards.
   */
  abandon?(): void
}

/**
 * Called for a run that could not be stored completely; may be called again for the same run.
 *
 * @param lost `index` if the recording is stored and only the index lacks the run. Default: `recording`.
 */
export type OnStoreFailure = (id: string, error: unknown, lost?: 'recording' | 'index') => void

/**
 * Returns a recording in place of another one, as JSON Lines; undefined if it stays. `onShared` of `replaceEach` is called with texts that recordings
 * share and that cannot be changed.
 */
export type ChangeRecording = (recording: StoredTrace & { readonly id: string }) => Promise<string | undefined>

/** What a store is told to report while it finds runs. */
export interface ReadingCallbacks {
  readonly onReading?: ((read: number, of: number) => void) | undefined
  readonly onUnreadable?: ((ids: readonly string[]) => void) | undefined
}

/** The ids to list. Default of each: all. */
export interface ListQuery {
  /** The beginning of the ids. */
  readonly prefix?: string
  /** The newest first. */
  readonly newest?: true
  /** The maximum number. */
  readonly limit?: number
}

/** A log as stored. Its rows are the same in every store; a bucket compresses them again. */
export interface StoredLog {
  readonly id: string
  /** Its name in error messages: a path or a URL, without credentials. */
  readonly file: string
  /** In bytes. */
  readonly size: number
  /** Why users flagged the run, in order. Default: none. */
  readonly flags?: readonly string[]
  /** Reads the whole log. */
  bytes(): Promise<Uint8Array>
  /** Reads the log in pieces, for one that does not fit in memory. */
  stream(): AsyncIterable<Uint8Array>
}

/** A lease that this process holds. */
export interface Lease {
  /** Restarts its time. Resolves to false if it expired and another process holds it. */
  renew(): Promise<boolean>
  /** Releases the lease. */
  release(): Promise<void>
}

/** The result of `find`. */
export interface FoundRuns {
  readonly runs: readonly RunSummary[]
  /** The ids of unreadable recordings, which may or may not match. */
  readonly unreadable: readonly string[]
  /** Why every recording had to be read, as a sentence. Absent if that was not necessary. */
  readonly scanned?: string
}

/** The result of `findRepeatedEffects`. */
export interface FoundEffects extends Omit<FoundRuns, 'runs'> {
  readonly effects: readonly RepeatedEffect[]
}

/** A recording as stored. */
export interface StoredTrace {
  /** Its path, for error messages. */
  readonly file: string
  /** JSON Lines. */
  readonly text: string
  /** Why users flagged the run, in order. Default: none. */
  readonly flags?: readonly string[]
}

/** Writes the rows of one recording, in order. Values are in recorded form and redacted. Rows share objects: do not change them. */
export interface TraceWriter {
  /** Whether rows were lost, which `close` will throw: the run is then not indexed as ended. Absent if the store finds out only later. */
  readonly hasFailed?: boolean
  write(row: Row): void
  /** Returns when everything written has been passed to the operating system. */
  flush(): void
  /** Flushes and releases its resources. Throws the first failure since it was opened, if any; `write` and `flush` never throw. */
  close(): void
  /**
   * Whether the recording is stored, read after `close`: `true`, or a promise that resolves once it is and rejects if it is lost. Without it, a
   * recording counts as stored when `close` has returned, or, in a store with `flush`, when a flush that began after that has resolved.
   */
  readonly stored?: true | Promise<void>
  /** Called instead of `close`: releases its resources and removes the recording. Sampling needs this capability. */
  discard?(): void
}
