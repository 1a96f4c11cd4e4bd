type Settle<Value> = (value: Value) => unknown

/**
 * An answer that has not come yet. Unlike a promise it tells at once: a recorder has to write down an answer before the driver gives it to the agent.
 */
export class Arrival<Answer> implements PromiseLike<unknown> {
  #settled: { readonly answer: Answer } | { readonly error: unknown } | undefined
  #told: Settle<Answer> | undefined | null
  #failed: Settle<unknown> | undefined | null

  /** Set once it has failed. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#settled !== undefined && 'error' in this.#settled ? this.#settled : undefined
  }

  /** It has come. Only the first counts. */
  settle(answer: Answer): void {
    if (this.#settled !== undefined) return
    this.#settled = { answer }
    this.#told?.(answer)
  }

  /** It has failed. */
  fail(error: unknown): void {
    if (this.#settled !== undefined) return
    this.#settled = { error }
    this.#tellFailure(error)
  }

  /** Whoever waits passes the error on by throwing it: here there is nobody to whom. */
  #tellFailure(error: unknown): void {
    try {
      this.#failed?.(error)
    } catch {
      // Told.
    }
  }

  then<Done = Answer, Failed = never>(
    told?: ((answer: Answer) => Done | PromiseLike<Done>) | null,
    failed?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): PromiseLike<Done | Failed> {
    ;[this.#told, this.#failed] = [told, failed]
    if (this.#settled !== undefined) {
      if ('answer' in this.#settled) told?.(this.#settled.answer)
      else this.#tellFailure(this.#settled.error)
    }
    return this as PromiseLike<unknown> as PromiseLike<Done | Failed>
  }
}
