import type { RecordedReads } from './recorded-reads.ts'
import type { ReplayLog } from './replay-log.ts'
import type { Progress } from './virtual-timers.ts'

/** Answers the reads of clock and chance of a replay, and logs them. Owners are numbers of calls of this replay. */
export class AnsweredDraws {
  readonly #reads: RecordedReads
  readonly #progress: Progress
  readonly #log: ReplayLog

  constructor(reads: RecordedReads, progress: Progress, log: ReplayLog) {
    this.#reads = reads
    this.#progress = progress
    this.#log = log
  }

  clock(owner: number): number {
    const { tick, now, recordedOwner } = this.#progress
    return this.#log.drew('clock', owner, this.#reads.clock(recordedOwner(owner), tick(), now()))
  }

  monotonic(owner: number): number {
    const { tick, now, recordedOwner } = this.#progress
    return this.#log.drew('monotonic', owner, this.#reads.monotonic(recordedOwner(owner), tick(), now()))
  }

  random(owner: number): number {
    return this.#log.drew('random', owner, this.#reads.random(this.#progress.recordedOwner(owner), this.#progress.tick()))
  }

  uuid(owner: number): string {
    return this.#log.drew('uuid', owner, this.#reads.uuid(this.#progress.recordedOwner(owner), this.#progress.tick()))
  }

  bytes(owner: number, size: number): Uint8Array {
    return this.#log.drew('bytes', owner, this.#reads.bytes(this.#progress.recordedOwner(owner), this.#progress.tick(), size))
  }
}
