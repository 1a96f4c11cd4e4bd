import { type AgentTurns, TurnsSinceTick } from '../run/agent-turns.ts'
import type { InTick } from '../trace/rows.ts'

/** Counts the ticks of a run: groups of completions between which no microtask ran, so that the agent saw them as one. */
export class TickCounter {
  #count = 0
  #tickIsOpen = false
  #turnIsOpen = false
  /** Of the tick named here, how many timers each owner has set with each delay. */
  readonly #timers = new Map<number, number>()
  #tickOfTimers = -1
  readonly #agentTurns: AgentTurns
  readonly #turns: TurnsSinceTick

  constructor(turns: AgentTurns) {
    this.#agentTurns = turns
    this.#turns = new TurnsSinceTick(turns)
  }

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
    const turns = this.#turns.tick()
    if (turns === undefined) return this.#turnIsOpen ? { sameTurn: true } : {}
    return { ...(this.#turnIsOpen && { sameTurn: true as const }), turns }
  }

  /** What a `closed` row says of turns of the event loop. */
  get awaitedTurns(): { readonly turns?: number } {
    return this.#agentTurns.areAwaited ? { turns: this.#turns.came } : {}
  }

  /** Gives what tells, when it is asked, whether nothing but microtasks has run since. */
  mark(): () => boolean {
    let isSameTurn = true
    void settled.then(() => process.nextTick(() => (isSameTurn = false)))
    return () => isSameTurn
  }

  /** Counts a timer that is set now. How many of its owner and delay have been set in this tick, itself included. */
  countTimer(owner: number, delay: number): number {
    if (this.#tickOfTimers !== this.#count) {
      this.#tickOfTimers = this.#count
      this.#timers.clear()
    }
    // Both are whole, and a delay is below 2 ** 31.
    const key = owner * 2 ** 31 + delay
    const occurrence = (this.#timers.get(key) ?? 0) + 1
    this.#timers.set(key, occurrence)
    return occurrence
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
