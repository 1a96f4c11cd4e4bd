import type { RecorderLimits } from './limits.ts'
import type { RawBody, RawEntry, RawSink } from './raw/raw-entry.ts'

/** Watches what one run takes of the process. */
export class RunLimits {
  readonly #limits: Required<RecorderLimits>
  readonly #sink: RawSink
  readonly #at: () => number
  #bytes = 0

  /** @param at Milliseconds since the run started. */
  constructor(limits: Required<RecorderLimits>, sink: RawSink, at: () => number) {
    this.#limits = limits
    this.#sink = sink
    this.#at = at
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
    if (this.#at() > runMilliseconds) return `runMilliseconds: ${runMilliseconds}`
    return this.#sink.hasRoom?.(length) === false ? `memoryBytes: ${memoryBytes}` : undefined
  }
}
