/** A replay's time, in milliseconds since the run started. */
export class VirtualClock {
  /** Now. */
  now = 0
  /** How far it is ahead of the recording's time, because of added sleeps and answers. */
  #ahead = 0

  /** When a recorded event happens in this replay. */
  timeOf(recordedAt: number): number {
    return recordedAt + this.#ahead
  }

  /** A recorded event happens. */
  reach(recordedAt: number): void {
    this.now = Math.max(this.now, this.timeOf(recordedAt))
  }

  /** An event happens that the recording does not have. @param isPause Whether recorded time stands still meanwhile. */
  wait(until: number, isPause: boolean): void {
    const passing = Math.max(0, until - this.now)
    if (isPause) this.#ahead += passing
    this.now += passing
  }
}
