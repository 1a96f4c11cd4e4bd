import type { Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { RunSummary } from './run-summary.ts'
import { RunSummarizer } from './summarize-run.ts'
import type { TraceStore, TraceWriter } from './trace-store.ts'

/** A run that is being written to a store. Its summary is computed from the written rows, so it is redacted as well. */
export class StoredRun {
  readonly #store: TraceStore
  readonly #writer: TraceWriter
  readonly #onRow: ((row: Row) => void) | undefined
  #summarizer: RunSummarizer | undefined

  /**
   * @param onRow Called for each written row; must not throw. Default: none.
   * @throws The store's error if it cannot open the recording.
   */
  constructor(store: TraceStore, header: RunRow, onRow?: (row: Row) => void) {
    this.#store = store
    this.#onRow = onRow
    this.#writer = atOnce('open', store.open(header))
  }

  write(row: Row): void {
    atOnce('write', this.#writer.write(row))
    this.#onRow?.(row)
    if (row.kind !== 'run') return this.#summarizer?.add(row)
    this.#summarizer = new RunSummarizer(row)
    atOnce('index', this.#store.index?.(this.#summarizer.summary))
  }

  flush(): void {
    atOnce('flush', this.#writer.flush())
    // Work that outlives the run may keep the recording open for a while.
    const { summary } = this
    const isWritten = this.#writer.hasFailed !== true
    if (isWritten && summary !== undefined && summary.status !== 'in-flight') atOnce('index', this.#store.index?.(summary))
  }

  /** Whether the closed recording is stored: see `TraceWriter`. Undefined if only a flush of the store tells. */
  get stored(): true | Promise<void> | undefined {
    return this.#writer.stored ?? (this.#store.flush === undefined ? true : undefined)
  }

  /** Returns the current summary; undefined before the header. */
  get summary(): RunSummary | undefined {
    return this.#summarizer?.summary
  }

  /**
   * Closes the recording. Throws the first failure since it was opened, if any.
   *
   * @param keeps Decides whether the run is kept. Called only for a store that can discard recordings. Default: it is kept.
   * @returns Whether it is kept.
   */
  close(keeps: (summary: RunSummary) => boolean = () => true): boolean {
    const { summary } = this
    if (summary !== undefined && this.#writer.discard !== undefined && !keeps(summary)) {
      atOnce('discard', this.#writer.discard())
      return false
    }
    atOnce('close', this.#writer.close())
    if (summary !== undefined) atOnce('index', this.#store.index?.(summary))
    return true
  }
}

/** Checks that a store's method finished synchronously. A pending promise could reject without a handler and end the process. */
function atOnce<Result>(method: string, result: Result): Result {
  if (!(result instanceof Promise)) return result
  result.catch(() => undefined)
  throw new TypeError(`"${method}" of the store returned a promise, but has to finish synchronously`)
}
