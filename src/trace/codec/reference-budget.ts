import { TraceLimitError } from '../errors/trace-limit-error.ts'
import type { ReadLimits } from '../read-limits.ts'

/** Counts what the references of a trace take in memory, each before its value is built. */
export class ReferenceBudget {
  /** What they have taken so far, in bytes. */
  taken = 0
  readonly #limits: Required<ReadLimits>
  readonly #size: number

  /** @param size The characters of the trace itself. Default: unknown, as 0. */
  constructor(limits: Required<ReadLimits>, size = 0) {
    this.#limits = limits
    this.#size = size
  }

  /** @throws TraceLimitError if the trace takes too much with these bytes. */
  take(bytes: number): void {
    this.taken += bytes
    const { traceBytes } = this.#limits
    if (this.#size + this.taken > traceBytes) throw new TraceLimitError({ part: 'the trace', limit: 'traceBytes', bytes: traceBytes })
  }

  /** Takes a text that is built of shared parts. @throws TraceLimitError */
  takeText(length: number): void {
    this.checkText(length, 'a text built of shared parts')
    this.take(length)
  }

  /** @throws TraceLimitError if a text is too long. */
  checkText(length: number, part: string): void {
    const { textBytes } = this.#limits
    if (length > textBytes) throw new TraceLimitError({ part, limit: 'textBytes', bytes: textBytes })
  }
}
