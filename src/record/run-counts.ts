/** The outcome of a run that was begun. */
export type RunEnd = 'recorded' | 'sampledOut' | 'cut' | 'failed'

/** How many kept recordings are remembered by id, for a store that reports a loss later. */
const MOST_KNOWN = 10_000

/** Counts the runs of a recorder, and what it left out of them. Each run that was begun is counted in one place, whatever happens to it. */
export class RunCounts {
  begun = 0
  flagged = 0
  muted = 0
  /** Runs whose failure had a warning of its own. */
  named = 0
  readonly #ends: Record<RunEnd, number> = { recorded: 0, sampledOut: 0, cut: 0, failed: 0 }
  /** Runs that have ended and are not known to be written yet. */
  #writing = 0
  #isGivenUp = false
  /** The latest runs that were kept, that were lost later, and that are missing from an index. */
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

  /** Called when a recording has been written, or cannot be. */
  written(end: RunEnd, id: string): void {
    this.#writing -= 1
    // A store may have reported the loss first.
    const counted = end === 'recorded' && this.#lost.has(id) ? 'failed' : end
    this.#ends[counted] += 1
    if (counted === 'recorded') this.#kept.add(id)
    else this.#lost.add(id)
  }

  /** Counts a recording that a store lost. Returns false if the store had already reported it. */
  loses(id: string): boolean {
    if (!this.#lost.add(id)) return false
    // A recording that was kept so long ago that its id is forgotten counts as well.
    if (!this.#kept.delete(id) && !this.#kept.hasForgotten) return true
    this.#ends.recorded -= 1
    this.#ends.failed += 1
    return true
  }

  /** Counts a run that is missing from a store's index. Returns false if the store had already reported it. */
  leavesUnindexed(id: string): boolean {
    const isNew = this.#unindexed.add(id)
    if (isNew) this.#unindexedRuns += 1
    return isNew
  }

  /** Stops waiting for what is not written. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  read(): Record<RunEnd | 'begun' | 'flagged' | 'muted' | 'writing' | 'lost' | 'unindexed', number> {
    const [writing, lost] = this.#isGivenUp ? [0, this.#writing] : [this.#writing, 0]
    return { begun: this.begun, ...this.#ends, flagged: this.flagged, muted: this.muted, unindexed: this.#unindexedRuns, writing, lost }
  }
}

/**
 * Says how many runs a closed recorder did not store; undefined if each of them had a warning of its own.
 *
 * @param bytes How many bytes the writing thread still has after `milliseconds`.
 */
export function toldOfUnstored(counts: RunCounts, bytes: number, milliseconds: number): string | undefined {
  const { begun, failed, lost } = counts.read()
  const unstored = failed + lost
  if (bytes === 0 && unstored <= counts.named) return undefined
  const left = `${bytes} bytes that were not written within limits.closeMilliseconds (${milliseconds})`
  const runs = unstored === 0 ? '' : `${unstored} of its ${begun} runs are not stored`
  if (runs === '') return `goldenrun closed a recorder with ${left}.`
  const why = bytes === 0 ? 'See the warnings before for the reasons.' : `The thread that writes still has ${left}.`
  return `goldenrun closed a recorder, and ${runs}. ${why}`
}

/** The latest ids of runs. */
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
