/**
 * What arrives of a call, told at once: whoever waits for it is told before the agent is, and not a microtask later. It is as much of a promise as a
 * recorded call looks at.
 */
export class Arrival implements PromiseLike<unknown> {
  #onResult: ((result: unknown) => unknown) | null | undefined
  #onError: ((error: unknown) => unknown) | null | undefined

  // oxlint-disable-next-line unicorn/no-thenable -- it is followed like a promise
  then<One, Other>(
    onResult?: ((result: unknown) => One | PromiseLike<One>) | null,
    onError?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): PromiseLike<One | Other> {
    this.#onResult = onResult
    this.#onError = onError
    return this as unknown as PromiseLike<One | Other>
  }

  settle(result: unknown): void {
    this.#onResult?.(result)
  }

  fail(error: unknown): void {
    try {
      this.#onError?.(error)
    } catch {
      // Whoever follows a call passes its error on, here to nobody.
    }
  }
}
