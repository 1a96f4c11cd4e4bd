/** A turn of the event loop that code of a run has asked for (`setImmediate`). */
export interface RunTurn {
  /** Whether it has come, or was cleared. */
  readonly isOver: boolean
  /** It is about to come. Whether something had to reach the run before it, and has been released. Never in a recording. */
  isPreceded(): boolean
  come(): void
  clear(): void
}

/**
 * Counts the turns of the event loop that the agent asks for. What a tool asks for is awaited, but not counted: its function does not run in a
 * replay.
 */
export class AgentTurns {
  readonly #isPreceded: () => boolean
  #awaited = 0
  #awaitedByTools = 0
  #came = 0

  /** @param isPreceded Whether something had to reach the run before the agent's next turn, and has been released. */
  constructor(isPreceded: () => boolean = never) {
    this.#isPreceded = isPreceded
  }

  /** How many have come. */
  get came(): number {
    return this.#came
  }

  get areAwaited(): boolean {
    return this.#awaited > 0
  }

  /** Whether the agent or a tool waits for one. */
  get areAnyAwaited(): boolean {
    return this.areAwaited || this.#awaitedByTools > 0
  }

  /** The code of an owner asks for one. */
  ask(owner: number): RunTurn {
    return owner === 0 ? this.#askForAgent() : this.#askForTool()
  }

  #askForAgent(): RunTurn {
    this.#awaited += 1
    return new AskedTurn(this.#isPreceded, (came) => {
      this.#awaited -= 1
      this.#came += came
    })
  }

  #askForTool(): RunTurn {
    this.#awaitedByTools += 1
    return new AskedTurn(never, () => (this.#awaitedByTools -= 1))
  }
}

class AskedTurn implements RunTurn {
  readonly isPreceded: () => boolean
  readonly #onOver: (came: number) => void
  isOver = false

  /** @param onOver Told how many turns came: one, or none. */
  constructor(isPreceded: () => boolean, onOver: (came: number) => void) {
    this.isPreceded = isPreceded
    this.#onOver = onOver
  }

  come(): void {
    this.#end(1)
  }

  clear(): void {
    this.#end(0)
  }

  #end(came: number): void {
    if (!this.isOver) this.#onOver(came)
    this.isOver = true
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

  /** A tick comes. Returns how many came since the one before; undefined if none did, and none is awaited. */
  tick(): number | undefined {
    const { came } = this
    this.#cameByTick = this.#turns.came
    return came > 0 || this.#turns.areAwaited ? came : undefined
  }
}

function never(): boolean {
  return false
}
