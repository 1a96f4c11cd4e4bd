/** Counts the side effects of a run, and finds the one that is made again. */
export class SideEffects {
  readonly #first = new Map<string, number>()

  /**
   * Counts a side effect.
   *
   * @param key Its idempotency key, or its arguments.
   * @returns The step that made it first, when this one repeats it.
   */
  count(step: number, name: string, key: string): number | undefined {
    const identity = `${name}\n${key}`
    const first = this.#first.get(identity)
    if (first === undefined) this.#first.set(identity, step)
    return first
  }
}
