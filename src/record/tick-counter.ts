import type { InTick } from '../trace/rows.ts'

/** Counts the ticks of a run: groups of completions between which no microtask ran, so that the agent saw them as one. */
export class TickCounter {
  #count = 0
  #tickIsOpen = false
  #turnIsOpen = false

  /** How many ticks the run has seen. */
  get count(): number {
    return this.#count
  }

  /**
   * Notes a completion, before it is delivered.
   *
   * @returns How it stands to the one before.
   */
  complete(): InTick {
    if (this.#tickIsOpen) return { sameTick: true }
    this.#tickIsOpen = true
    this.#count += 1
    // Queued before the delivery, it runs before anything that the delivery sets off. A promise's reaction is a microtask that Node makes no resource of.
    void settled.then(this.#closeTick)
    return this.#turnIsOpen ? { sameTurn: true } : {}
  }

  /** Gives what tells, when it is asked, whether nothing but microtasks has run since. */
  mark(): () => boolean {
    let isSameTurn = true
    void settled.then(() => process.nextTick(() => (isSameTurn = false)))
    return () => isSameTurn
  }

  readonly #closeTick = (): void => {
    this.#tickIsOpen = false
    if (this.#turnIsOpen) return
    this.#turnIsOpen = true
    // From within a microtask, this runs once all microtasks have run.
    process.nextTick(this.#closeTurn)
  }

  readonly #closeTurn = (): void => {
    this.#turnIsOpen = false
  }
}

const settled = Promise.resolve()
