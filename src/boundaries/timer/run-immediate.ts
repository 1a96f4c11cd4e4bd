import { processWide } from '../../node/process-wide.ts'
import { knownOrMade } from '../../node/remember.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { RunTurn } from '../../run/agent-turns.ts'
import { bindContext, type Scope } from '../../run/scope.ts'
import { ReplayedImmediates } from './replayed-immediates.ts'

const turns = processWide('immediates', () => new WeakMap<object, RunTurn>())
const replayed = new WeakMap<object, ReplayedImmediates>()

/** Starts a real immediate. A recording counts those of the agent; a replay is not idle while one is pending, and keeps their recorded order. */
export function startRunImmediate({ run, owner }: Scope, callback: () => void): NodeJS.Immediate {
  const turn = run.turns.ask(owner)
  const come = (): void => {
    turn.come()
    // An endless loop would otherwise continue in the test's process.
    if (run.mode === 'record' || !run.ended) callback()
  }
  const immediate =
    run.mode === 'record'
      ? realTimers.setImmediate(come)
      : knownOrMade(replayed, run, () => new ReplayedImmediates()).start(turn, bindContext(come))
  turns.set(immediate, turn)
  return immediate
}

/** Tells the run of an immediate, if any, that it was cleared. */
export function forgetRunImmediate(immediate: unknown): void {
  if (typeof immediate === 'object' && immediate !== null) turns.get(immediate)?.clear()
}
