/** The connections that a replayed run opens itself, each where the recorded run had it open. */
export class OpeningConnections {
  readonly #work: () => () => void
  readonly #waiting = new Set<() => void>()
  #holding = 0

  /** @param work The run works until the release is called. */
  constructor(work: () => () => void) {
    this.#work = work
  }

  /** Whether nothing is to be released now: the run is hearing of a connection, which may take more than a turn of the event loop. */
  get isHeld(): boolean {
    return this.#holding > 0
  }

  /** Until the release is called the run works, and nothing recorded reaches it. */
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

  /** A connection waits for its place. @param pass Opens it at once. @returns To be called when it has come. */
  wait(pass: () => void): () => void {
    this.#waiting.add(pass)
    return () => void this.#waiting.delete(pass)
  }

  /** The run waits for nothing else, so the recorded run found the connection open. Returns whether there was one. */
  pass(): boolean {
    const [first] = this.#waiting
    if (first === undefined) return false
    this.#waiting.delete(first)
    first()
    return true
  }
}
