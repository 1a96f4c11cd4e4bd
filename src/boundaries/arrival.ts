type Settle = (value: unknown) => unknown

/**
 * A pending answer. Unlike a promise, it notifies synchronously: a recorder has to record an answer before the driver passes it to the agent.
 */
export class Arrival implements PromiseLike<unknown> {
  #settled: { readonly answer: unknown } | { readonly error: unknown } | undefined
  #told: Settle | undefined | null
  #failed: Settle | undefined | null

  /** Set once the answer has failed. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#settled !== undefined && 'error' in this.#settled ? this.#settled : undefined
  }

  /** Delivers the answer. Only the first call counts. */
  settle(answer: unknown): void {
    if (this.#settled !== undefined) return
    this.#settled = { answer }
    this.#told?.(answer)
  }

  /** Delivers a failure. */
  fail(error: unknown): void {
    if (this.#settled !== undefined) return
    this.#settled = { error }
    this.#tellFailure(error)
  }

  /** The waiting code rethrows the error to its own caller; here there is no such caller. */
  #tellFailure(error: unknown): void {
    try {
      this.#failed?.(error)
    } catch {
      // The error has been delivered.
    }
  }

  then<Done = unknown, Failed = never>(
    told?: ((answer: unknown) => Done | PromiseLike<Done>) | null,
    failed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): PromiseLike<Done | Failed> {
    this.#told = told
    this.#failed = failed
    if (this.#settled !== undefined) {
      if ('answer' in this.#settled) told?.(this.#settled.answer)
      else this.#tellFailure(this.#settled.error)
    }
    return this as PromiseLike<Done | Failed>
  }
}
