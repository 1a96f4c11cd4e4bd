import { realTimers } from '../../node/real-timers.ts'
import type { RunTurn } from '../../run/agent-turns.ts'

/** An immediate that has not come. */
interface Waiting {
  readonly turn: RunTurn
  readonly come: () => void
}

/**
 * The immediates of a replayed run, in the order in which they were set. Each has a real one, but which of them comes is decided then: while something
 * else has to reach the run first, the first one waits for another turn, and the others wait behind it. Between two real ones Node runs all that is
 * queued, as it did in the recording.
 */
export class ReplayedImmediates {
  readonly #waiting: Waiting[] = []

  /** @param come Is called in its turn, in the context of whoever set it. */
  start(turn: RunTurn, come: () => void): NodeJS.Immediate {
    this.#waiting.push({ turn, come })
    return realTimers.setImmediate(this.#next)
  }

  readonly #next = (): void => {
    while (this.#waiting[0]?.turn.isOver === true) this.#waiting.shift()
    const [first] = this.#waiting
    const next = first?.turn.next()
    if (next === 'waits') return void realTimers.setImmediate(this.#next)
    this.#waiting.shift()
    if (next === 'never') first?.turn.clear()
    else first?.come()
  }
}
