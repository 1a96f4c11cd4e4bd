import { processWide } from '../../node/process-wide.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { RunTurn } from '../../run/agent-turns.ts'
import type { Scope } from '../../run/scope.ts'

const turns = processWide('immediates', () => new WeakMap<object, RunTurn>())

/**
 * Starts a real immediate. A recording counts those of the agent; a replay is not idle while one is pending, and what came before it in the
 * recording comes before it again.
 */
export function startRunImmediate({ run, owner }: Scope, callback: () => void): NodeJS.Immediate {
  const turn = run.turns.ask(owner)
  const come = (): void => {
    if (turn.isOver) return
    if (turn.isPreceded()) return afterMicrotasks(come)
    turn.come()
    // An endless loop would otherwise continue in the test's process.
    if (run.mode === 'record' || !run.ended) callback()
  }
  const immediate = realTimers.setImmediate(come)
  turns.set(immediate, turn)
  return immediate
}

/** Tells the run of an immediate, if any, that it was cleared. */
export function forgetRunImmediate(immediate: unknown): void {
  if (typeof immediate === 'object' && immediate !== null) turns.get(immediate)?.clear()
}

/** Before the next immediate, and after the microtasks that are queued by then: a tick from within one of them comes when all have run. */
function afterMicrotasks(callback: () => void): void {
  realTimers.queueMicrotask(() => realTimers.nextTick(callback))
}
