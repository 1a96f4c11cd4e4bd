/** More than the number of delays, which have 31 bits. */
const mostDelays = 2 ** 31

/** Counts the timers of an owner that are set with the same delay within one tick. */
export class Occurrences {
  readonly #counts = new Map<number, number>()
  #tick = -1

  count(tick: number, owner: number, delay: number): number {
    if (this.#tick !== tick) {
      this.#tick = tick
      this.#counts.clear()
    }
    const equals = owner * mostDelays + delay
    const occurrence = (this.#counts.get(equals) ?? 0) + 1
    this.#counts.set(equals, occurrence)
    return occurrence
  }
}
