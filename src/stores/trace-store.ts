import type { Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'

/** Where recordings live. */
export interface TraceStore {
  /** Begins a recording. */
  open(header: RunRow): TraceWriter
  /** The ids of its recordings, oldest first. */
  list(): Promise<string[]>
  /** A recording as JSON Lines, or undefined when it has none of that id. */
  read(id: string): Promise<StoredTrace | undefined>
}

/** A recording as it lies in its store. */
export interface StoredTrace {
  /** What an error message calls it: a path. */
  readonly file: string
  /** JSON Lines. */
  readonly text: string
}

/** Takes the rows of one recording, in order; the values in them are recorded and redacted. */
export interface TraceWriter {
  write(row: Row): void
  /** Returns once what was written is with the operating system. */
  flush(): void
  /** Flushes, and lets go of what it holds. Throws what failed since it was opened, if anything did: `write` and `flush` never do. */
  close(): void
}
