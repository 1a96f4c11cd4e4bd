/** How many characters are read in a slice: a few milliseconds of work. */
const SLICE = 1_000_000

/** Runs work that is divided into slices synchronously. */
export function atOnce<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Decides when work has to yield to others. */
export class Slices {
  #since = 0

  /** Counts `length` as done. Returns whether a slice is full. */
  isFullWith(length: number): boolean {
    this.#since += length
    if (this.#since < SLICE) return false
    this.#since = 0
    return true
  }
}
