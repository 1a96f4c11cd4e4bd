import { processWide } from '../../node/process-wide.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { RunTurn } from '../../run/agent-turns.ts'
import { bindContext, type Scope } from '../../run/scope.ts'

const turns = processWide('immediates', () => new WeakMap<object, RunTurn>())
const replayed = new WeakMap<object, ReplayedImmediates>()

/** Starts a real immediate. A recording counts the agent's; a replay is not idle while one is pending, and keeps their recorded order. */
export function startRunImmediate({ run, owner }: Scope, callback: () => void): NodeJS.Immediate {
  const turn = run.turns.ask(owner)
  const come = (): void => {
    turn.come()
    // Otherwise an endless loop would continue in the test's process.
    if (run.mode === 'record' || !run.ended) callback()
  }
  const immediate =
    run.mode === 'record'
      ? realTimers.setImmediate(come)
      : knownOrMade(replayed, run, () => new ReplayedImmediates()).start(turn, bindContext(come))
  turns.set(immediate, turn)
  return immediate
}

/** Notifies the run of an immediate, if any, that it was cleared. */
export function forgetRunImmediate(immediate: unknown): void {
  if (typeof immediate === 'object' && immediate !== null) turns.get(immediate)?.clear()
}

/** A pending immediate. */
interface Waiting {
  readonly turn: RunTurn
  readonly come: () => void
}

/**
 * The immediates of a replayed run, in the order in which they were set. Each has a real immediate, and when that one fires, it is decided
 * which of them comes: while something else has to reach the run first, the first one waits for another turn, and the others wait behind it.
 * Between two real immediates, Node runs everything that is queued, as in the recording.
 */
class ReplayedImmediates {
  readonly #waiting: Waiting[] = []

  /** @param come Called in its turn, in the context of the code that set it. */
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
