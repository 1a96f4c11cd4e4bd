/** Whether a turn of the event loop comes now, has to wait because something reaches the run first, or will never come. */
export type NextTurn = 'comes' | 'waits' | 'never'

/**
 * Counts the turns of the event loop that the agent requests. Turns that a tool requests are awaited but not counted, because its function
 * does not run in a replay.
 */
export class AgentTurns {
  /** Called once nothing waits for a turn. */
  onEnd: (() => void) | undefined
  readonly #next: () => NextTurn
  readonly #awaited = { byAgent: 0, byTools: 0 }
  #came = 0

  /** @param next Returns whether the agent's next turn may come now. */
  constructor(next: () => NextTurn = comes) {
    this.#next = next
  }

  /** The number of the agent's turns that have come. */
  get came(): number {
    return this.#came
  }

  get areAwaited(): boolean {
    return this.#awaited.byAgent > 0
  }

  /** Whether the agent or a tool waits for a turn. */
  get areAnyAwaited(): boolean {
    return this.areAwaited || this.#awaited.byTools > 0
  }

  /** Requests a turn for the code of an owner. */
  ask(owner: number): RunTurn {
    const isAgent = owner === 0
    const by = isAgent ? 'byAgent' : 'byTools'
    this.#awaited[by] += 1
    return new RunTurn(isAgent ? this.#next : comes, (came) => {
      this.#awaited[by] -= 1
      if (isAgent) this.#came += came
      if (!this.areAnyAwaited) this.onEnd?.()
    })
  }
}

/** A turn of the event loop that the run's code has requested (`setImmediate`). */
export class RunTurn {
  /** Returns whether the turn may come now. In a recording it always may. */
  readonly next: () => NextTurn
  readonly #onOver: (came: number) => void
  /** Whether the turn has come or was cleared. */
  isOver = false

  /** @param onOver Called with the number of turns that came: one or none. */
  constructor(next: () => NextTurn, onOver: (came: number) => void) {
    this.next = next
    this.#onOver = onOver
  }

  come(): void {
    this.#end(1)
  }

  clear(): void {
    this.#end(0)
  }

  #end(came: number): void {
    if (this.isOver) return
    this.isOver = true
    this.#onOver(came)
  }
}

/** Counts the agent's turns of the event loop from tick to tick. */
export class TurnsSinceTick {
  readonly #turns: AgentTurns
  #cameByTick = 0

  constructor(turns: AgentTurns) {
    this.#turns = turns
  }

  get came(): number {
    return this.#turns.came - this.#cameByTick
  }

  /** Starts a new tick. Returns how many turns came since the last tick; undefined if none came and none is awaited. */
  tick(): number | undefined {
    const { came } = this
    this.#cameByTick = this.#turns.came
    return came > 0 || this.#turns.areAwaited ? came : undefined
  }
}

function comes(): NextTurn {
  return 'comes'
}
