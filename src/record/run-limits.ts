import type { RecorderLimits } from './limits.ts'
import type { RawBody, RawEntry, RawSink } from './raw/raw-entry.ts'
import type { Stopwatch } from './stopwatch.ts'

/** Watches what one run takes of the process. */
export class RunLimits {
  readonly #limits: Required<RecorderLimits>
  readonly #sink: RawSink
  readonly #time: Stopwatch
  #bytes = 0

  constructor(limits: Required<RecorderLimits>, sink: RawSink, time: Stopwatch) {
    this.#limits = limits
    this.#sink = sink
    this.#time = time
  }

  /**
   * The limit that the run goes beyond with an entry, and what it is; undefined where it goes beyond none.
   *
   * @param steps How many steps it has, the entry's included.
   */
  exceeded(entry: RawEntry, body: RawBody, steps: number): string | undefined {
    const { memoryBytes, runSteps, runBytes, runMilliseconds } = this.#limits
    const isCall = entry.kind === 'request' || (entry.kind === 'row' && entry.row.kind === 'call')
    if (isCall && steps > runSteps) return `runSteps: ${runSteps}`
    const length = body?.length ?? 0
    this.#bytes += length
    if (this.#bytes > runBytes) return `runBytes: ${runBytes}`
    // What is handed over asked for its time just before.
    if (this.#time.last > runMilliseconds) return `runMilliseconds: ${runMilliseconds}`
    return this.#sink.hasRoom?.(length) === false ? `memoryBytes: ${memoryBytes}` : undefined
  }
}
