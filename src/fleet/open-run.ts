import { createEncoder, type Encoder } from '../trace/codec/encoder.ts'
import type { Row } from '../trace/rows.ts'
import type { RunSummary } from '../stores/run-summary.ts'
import type { TraceWriter } from '../stores/trace-store.ts'
import type { FinishedRun } from './fleet-writer.ts'
import { linesToLog } from './packs/run-entry.ts'

/** A run in memory that is not stored yet. */
export class OpenRun implements TraceWriter {
  readonly id: string
  readonly #onClosed: (run: OpenRun) => void
  readonly #onDiscarded: (run: OpenRun) => void
  readonly #encoder: Encoder = createEncoder({ byTemplates: false })
  #waiting: string[] = []
  #lines = ''
  /** Its latest summary. */
  summary: RunSummary | undefined
  /** Why users flagged it since it was opened. */
  readonly flags: string[] = []
  readonly #stored = Promise.withResolvers<void>()

  constructor(id: string, onClosed: (run: OpenRun) => void, onDiscarded: (run: OpenRun) => void) {
    this.id = id
    this.#onClosed = onClosed
    this.#onDiscarded = onDiscarded
    // Not every caller waits for it.
    this.#stored.promise.catch(() => undefined)
  }

  get stored(): Promise<void> {
    return this.#stored.promise
  }

  /** @param failure Why it could not be stored. Default: it is stored. */
  settle(failure?: { readonly error: unknown }): void {
    if (failure === undefined) this.#stored.resolve()
    else this.#stored.reject(failure.error)
  }

  write(row: Row): void {
    this.#waiting.push(...this.#encoder.encode(row))
  }

  flush(): void {
    if (this.#waiting.length > 0) this.#lines += `${this.#waiting.splice(0).join('\n')}\n`
  }

  close(): void {
    this.flush()
    this.#onClosed(this)
  }

  discard(): void {
    this.#onDiscarded(this)
  }

  /** The flushed rows as JSON lines. */
  get lines(): string {
    return this.#lines
  }

  /** Its latest summary, with the flags of users. */
  get known(): RunSummary | undefined {
    return this.summary && { ...this.summary, flags: [...this.summary.flags, ...this.flags] }
  }

  /** @param summary The run's summary, as the recorder knows it. */
  finish(summary: RunSummary): FinishedRun {
    const flags = [...this.flags]
    return {
      summary: { ...summary, flags: [...summary.flags, ...flags] },
      log: linesToLog(Buffer.from(this.#lines)),
      lines: this.#lines,
      flags,
    }
  }
}
