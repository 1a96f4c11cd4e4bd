/** Counts timers that are equal but for their occurrence: those of one owner and delay that were set in one tick. */
export class TimerCounter {
  readonly #counts = new Map<number, number>()
  #tick = -1

  /** Counts a timer that is set now. How many of its like there are, itself included. */
  count(tick: number, owner: number, delay: number): number {
    if (this.#tick !== tick) {
      this.#tick = tick
      this.#counts.clear()
    }
    // Both are whole, and a delay is below 2 ** 31.
    const key = owner * 2 ** 31 + delay
    const occurrence = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, occurrence)
    return occurrence
  }
}
