/** So many characters are read in a slice: in some milliseconds. */
const SLICE = 1_000_000

/** Does work that could be done in slices at once. */
export function atOnce<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}

/** Tells after how much of a work it is time to let others have their turn. */
export class Slices {
  #since = 0

  /** Takes so much for done; whether a slice is full. */
  isFullWith(length: number): boolean {
    this.#since += length
    if (this.#since < SLICE) return false
    this.#since = 0
    return true
  }
}
