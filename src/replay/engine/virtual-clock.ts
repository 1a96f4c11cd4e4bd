/** Time as a replay has it, in milliseconds since the run started. */
export class VirtualClock {
  /** Now. */
  now = 0
  /** How far it is ahead of the recording's: by the sleeps and the answers that were added. */
  #ahead = 0

  /** When something recorded comes about in this replay. */
  timeOf(recordedAt: number): number {
    return recordedAt + this.#ahead
  }

  /** Something recorded comes about. */
  reach(recordedAt: number): void {
    this.now = Math.max(this.now, this.timeOf(recordedAt))
  }

  /** Something comes about that the recording does not have. @param isPause Whether what was recorded stands still meanwhile. */
  wait(until: number, isPause: boolean): void {
    const passing = Math.max(0, until - this.now)
    if (isPause) this.#ahead += passing
    this.now += passing
  }
}
