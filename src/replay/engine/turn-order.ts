import { type AgentTurns, TurnsSinceTick } from '../../run/agent-turns.ts'
import type { PlannedTick } from '../calls/plan.ts'
import type { Activity } from './conducted.ts'
import type { Patience } from './patience.ts'

/** Where a replay starts: nothing has been released yet. */
const beforeAll: PlannedTick = { ordinal: 0, turn: 0, turns: undefined, place: 0, rows: [], requires: [] }

/** The most turns that may come before one tick, however many the recording has: an agent may ask for one after another while it waits for hours. */
const mostTurns = 10_000

/** Decides what comes first: the next recorded tick, or the next turn of the event loop that the run has asked for. */
export class TurnOrder {
  readonly #turns: AgentTurns
  readonly #sinceTick: TurnsSinceTick
  readonly #patience: Patience
  readonly #activity: () => Activity
  #last: PlannedTick = beforeAll

  constructor(turns: AgentTurns, patience: Patience, activity: () => Activity) {
    this.#turns = turns
    this.#sinceTick = new TurnsSinceTick(turns)
    this.#patience = patience
    this.#activity = activity
  }

  /** Whether a tick has to wait for a turn. If the trace does not say how many turns came before it, it waits for a few. */
  waits({ turn, turns }: PlannedTick): boolean {
    if (turns === undefined) return turn !== this.#last.turn && this.#patience.letsTurn(this.#activity())
    return this.#turns.areAwaited && this.#sinceTick.came < Math.min(turns, mostTurns)
  }

  /** Whether the agent's next turn comes after an event that this many turns preceded. */
  isPast(turns: number | undefined): boolean {
    return turns !== undefined && this.#sinceTick.came >= Math.min(turns, mostTurns)
  }

  /** The last tick that was released. */
  get last(): PlannedTick {
    return this.#last
  }

  release(tick: PlannedTick): void {
    this.#sinceTick.tick()
    this.#last = tick
  }
}
