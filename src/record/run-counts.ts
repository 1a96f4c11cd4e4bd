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
  /** The last that were kept, that were lost after all, and that an index lacks. */
  readonly #kept = new LatestIds()
  readonly #lost = new LatestIds()
  readonly #unindexed = new LatestIds()
  #unindexedRuns = 0

  ends(end: RunEnd): void {
    this.#ends[end] += 1
  }

  writes(): void {
    this.#writing += 1
  }

  /** What was to be written is, or cannot be. */
  written(end: RunEnd, id: string): void {
    this.#writing -= 1
    // A store may have reported it first.
    const counted = end === 'recorded' && this.#lost.has(id) ? 'failed' : end
    this.#ends[counted] += 1
    if (counted === 'recorded') this.#kept.add(id)
    else this.#lost.add(id)
  }

  /** A store lost a recording. Returns whether it had not reported that before. */
  loses(id: string): boolean {
    if (!this.#lost.add(id)) return false
    // One that was kept so long ago that its id is forgotten counts as well.
    if (!this.#kept.delete(id) && !this.#kept.hasForgotten) return true
    this.#ends.recorded -= 1
    this.#ends.failed += 1
    return true
  }

  /** A store's index lacks a run. Returns whether it had not reported that before. */
  leavesUnindexed(id: string): boolean {
    const isNew = this.#unindexed.add(id)
    if (isNew) this.#unindexedRuns += 1
    return isNew
  }

  /** Nobody waits any more for what is not written. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  read(): Record<RunEnd | 'begun' | 'flagged' | 'writing' | 'lost' | 'unindexed', number> {
    const [writing, lost] = this.#isGivenUp ? [0, this.#writing] : [this.#writing, 0]
    return { begun: this.begun, ...this.#ends, flagged: this.flagged, unindexed: this.#unindexedRuns, writing, lost }
  }
}

/** Ids of runs, the latest of them. */
class LatestIds {
  readonly #ids = new Set<string>()
  hasForgotten = false

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** Returns whether it is new. */
  add(id: string): boolean {
    if (this.#ids.has(id)) return false
    this.#ids.add(id)
    if (this.#ids.size <= MOST_KNOWN) return true
    this.#ids.delete(this.#ids.keys().next().value ?? '')
    this.hasForgotten = true
    return true
  }

  delete(id: string): boolean {
    return this.#ids.delete(id)
  }
}
