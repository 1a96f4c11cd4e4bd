import type { Row } from '../trace/rows.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { RunSummary } from './run-summary.ts'
import { RunSummarizer } from './summarize-run.ts'
import type { TraceStore, TraceWriter } from './trace-store.ts'

/** A run on its way into a store: what its rows come to is known, from the very rows that are kept, so that nothing is known that is not redacted. */
export class StoredRun {
  readonly #store: TraceStore
  readonly #writer: TraceWriter
  readonly #onRow: ((row: Row) => void) | undefined
  #summarizer: RunSummarizer | undefined

  /**
   * @param onRow Told of each row that was written; must not throw. Default: nobody is.
   * @throws What the store throws where it cannot open the recording.
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
    // What the run left behind may keep it open for a while.
    const { summary } = this
    if (summary !== undefined && summary.status !== 'in-flight') atOnce('index', this.#store.index?.(summary))
  }

  /** What is known of the run by now; undefined before its header. */
  get summary(): RunSummary | undefined {
    return this.#summarizer?.summary
  }

  /**
   * Lets go of the recording. Throws what failed since it was opened, if anything did.
   *
   * @param keeps Decides whether the run is kept. Asked only of a store whose recordings can be discarded. Default: it is.
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

/** What a method of a store gave. One that is still at it could fail where nobody would know, and end the process. */
function atOnce<Result>(method: string, result: Result): Result {
  if (!(result instanceof Promise)) return result
  result.catch(() => undefined)
  throw new TypeError(`"${method}" of the store gave a promise, and has to be through when it returns`)
}
