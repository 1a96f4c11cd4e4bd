/** The connections that a replayed run opens itself, each at the place where it was open in the recorded run. */
export class OpeningConnections {
  readonly #work: () => () => void
  readonly #waiting = new Set<() => void>()
  #holding = 0

  /** @param work Marks the run as working until the release is called. */
  constructor(work: () => () => void) {
    this.#work = work
  }

  /** Whether nothing may be released now: the run is being notified of a connection, which may take more than a turn of the event loop. */
  get isHeld(): boolean {
    return this.#holding > 0
  }

  /** Marks the run as working until the release is called. Nothing recorded reaches it before that. */
  hold(): () => void {
    const done = this.#work()
    let isHolding = true
    this.#holding += 1
    return () => {
      if (isHolding) this.#holding -= 1
      isHolding = false
      done()
    }
  }

  /** Makes a connection wait for its place. @param pass Opens it immediately. @returns A function to call at its place. */
  wait(pass: () => void): () => void {
    this.#waiting.add(pass)
    return () => void this.#waiting.delete(pass)
  }

  /** Opens a connection because the run waits for nothing else, so the recorded run found it open. Returns whether there was one. */
  pass(): boolean {
    const [first] = this.#waiting
    if (first === undefined) return false
    this.#waiting.delete(first)
    first()
    return true
  }
}
