import type { DrawKind, MadeDraw } from '../judge/draws/correspondence.ts'
import type { RecordedReads } from './recorded-reads.ts'
import type { DrawnKinds, ReplayLog } from './replay-log.ts'
import type { Progress } from './virtual-timers.ts'

/** Answers a replay's reads of the clock and random sources, and logs them. Owners are numbers of calls of this replay. */
export class AnsweredDraws {
  /** The draws up to now. */
  readonly made: MadeDraw[] = []
  readonly #reads: RecordedReads
  readonly #progress: Progress
  readonly #log: ReplayLog
  readonly #counts: Record<DrawKind, number> = { clock: 0, random: 0, uuid: 0, bytes: 0 }

  constructor(reads: RecordedReads, progress: Progress, log: ReplayLog) {
    this.#reads = reads
    this.#progress = progress
    this.#log = log
  }

  clock(owner: number): number {
    const { tick, now, recordedOwner } = this.#progress
    return this.#drew('clock', owner, this.#reads.clock(recordedOwner(owner), tick(), now()))
  }

  monotonic(owner: number): number {
    const { tick, now, recordedOwner } = this.#progress
    return this.#log.drew('monotonic', owner, this.#reads.monotonic(recordedOwner(owner), tick(), now()))
  }

  random(owner: number): number {
    return this.#drew('random', owner, this.#reads.random(this.#progress.recordedOwner(owner), this.#progress.tick()))
  }

  uuid(owner: number): string {
    return this.#drew('uuid', owner, this.#reads.uuid(this.#progress.recordedOwner(owner), this.#progress.tick()))
  }

  bytes(owner: number, size: number): Uint8Array {
    return this.#drew('bytes', owner, this.#reads.bytes(this.#progress.recordedOwner(owner), this.#progress.tick(), size))
  }

  #drew<Kind extends DrawKind>(kind: Kind, owner: number, value: DrawnKinds[Kind]): DrawnKinds[Kind] {
    const { tick, calls, recordedOwner } = this.#progress
    this.#counts[kind] += 1
    this.made.push({ kind, order: this.#counts[kind], owner: recordedOwner(owner), tick: tick(), calls: calls().length, value })
    return this.#log.drew(kind, owner, value)
  }
}
