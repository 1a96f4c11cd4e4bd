import { type AgentTurns, TurnsSinceTick } from '../run/agent-turns.ts'
import type { InTick } from '../trace/rows.ts'

/** Counts the ticks of a run: groups of completions with no microtask in between, which the agent saw as one. */
export class TickCounter {
  #count = 0
  #tickIsOpen = false
  #turnIsOpen = false
  /** For the tick named here, how many timers each owner has set with each delay. */
  readonly #timers = new Map<number, number>()
  #tickOfTimers = -1
  readonly #agentTurns: AgentTurns
  readonly #turns: TurnsSinceTick

  constructor(turns: AgentTurns) {
    this.#agentTurns = turns
    this.#turns = new TurnsSinceTick(turns)
  }

  /** The number of ticks that the run has seen. */
  get count(): number {
    return this.#count
  }

  /**
   * Counts a completion before it is delivered.
   *
   * @returns Its mark relative to the previous completion.
   */
  complete(): InTick {
    if (this.#tickIsOpen) return { sameTick: true }
    this.#tickIsOpen = true
    this.#count += 1
    // Queued before the delivery, it runs before anything that the delivery triggers. Node creates no async resource for the microtask of a promise's
    // reaction.
    void settled.then(this.#closeTick)
    const turns = this.#turns.tick()
    if (turns === undefined) return this.#turnIsOpen ? { sameTurn: true } : {}
    return { ...(this.#turnIsOpen && { sameTurn: true as const }), turns }
  }

  /** Returns the turns of the event loop for a `closed` row. */
  get awaitedTurns(): { readonly turns?: number } {
    return this.#agentTurns.areAwaited ? { turns: this.#turns.came } : {}
  }

  /** Returns a function that tells whether only microtasks have run since. */
  mark(): () => boolean {
    let isSameTurn = true
    void settled.then(() => process.nextTick(() => (isSameTurn = false)))
    return () => isSameTurn
  }

  /** Counts a timer that is set now. Returns how many timers of its owner and delay have been set in this tick, including this one. */
  countTimer(owner: number, delay: number): number {
    if (this.#tickOfTimers !== this.#count) {
      this.#tickOfTimers = this.#count
      this.#timers.clear()
    }
    // Both are integers, and a delay is below 2 ** 31.
    const key = owner * 2 ** 31 + delay
    const occurrence = (this.#timers.get(key) ?? 0) + 1
    this.#timers.set(key, occurrence)
    return occurrence
  }

  readonly #closeTick = (): void => {
    this.#tickIsOpen = false
    if (this.#turnIsOpen) return
    this.#turnIsOpen = true
    // Scheduled from within a microtask, this runs after all microtasks.
    process.nextTick(this.#closeTurn)
  }

  readonly #closeTurn = (): void => {
    this.#turnIsOpen = false
  }
}

const settled = Promise.resolve()
