/** What a run that was begun came to. */
export type RunEnd = 'recorded' | 'sampledOut' | 'cut' | 'failed'

/** So many recordings that were kept are known by their ids, for a store that reports later. */
const MOST_KNOWN = 10_000

/** Counts the runs of a recorder: each that was begun is counted at one place, whatever becomes of it. */
export class RunCounts {
  begun = 0
  flagged = 0
  readonly #ends: Record<RunEnd, number> = { recorded: 0, sampledOut: 0, cut: 0, failed: 0 }
  /** Runs that have ended, of which it is not known yet whether they are written. */
  #writing = 0
  #isGivenUp = false
  /** The last that were kept. */
  readonly #kept = new Set<string>()

  ends(end: RunEnd): void {
    this.#ends[end] += 1
  }

  writes(): void {
    this.#writing += 1
  }

  /** What was to be written is, or cannot be. */
  written(end: RunEnd, id: string): void {
    this.#writing -= 1
    this.#ends[end] += 1
    if (end !== 'recorded') return
    this.#kept.add(id)
    if (this.#kept.size > MOST_KNOWN) this.#kept.delete(this.#kept.keys().next().value ?? '')
  }

  /** A recording that was kept is not, after all. Whether it was one. */
  loses(id: string): boolean {
    if (!this.#kept.delete(id)) return false
    this.#ends.recorded -= 1
    this.#ends.failed += 1
    return true
  }

  /** Nobody waits any more for what is not written. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  read(): Record<RunEnd | 'begun' | 'flagged' | 'writing' | 'lost', number> {
    const [writing, lost] = this.#isGivenUp ? [0, this.#writing] : [this.#writing, 0]
    return { begun: this.begun, ...this.#ends, flagged: this.flagged, writing, lost }
  }
}
