import { captureTrail } from '../../run/call-site.ts'
import type { AnsweredExchange } from '../../run/active-run.ts'
import type { HttpDelivery, LeftAnswer } from '../answers/http-delivery.ts'
import type { Plan } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Conductor } from '../engine/conductor.ts'
import { IdleTimer } from '../engine/idle-timer.ts'
import type { VirtualTimers } from '../engine/virtual-timers.ts'
import { makeDivergence } from './finding.ts'
import type { Findings } from './findings.ts'

/** The parts of a replay that are used here. */
interface Replay {
  readonly plan: Plan
  readonly conductor: Conductor
  readonly findings: Findings
  /** Whether the agent has returned or thrown. */
  readonly finished: boolean
  /** Whether it has done work of its own since something was released. */
  hasWorked(): boolean
}

/** The exchange of a call, as its door sees it. */
export function answeredExchange(run: Replay, timers: VirtualTimers, call: ReplayCall, delivery: HttpDelivery): AnsweredExchange {
  return {
    // A recording does not contain answers that an agent dropped after it had returned.
    stop: () => (run.finished ? undefined : leaveAnswer(call, delivery, run)),
    limitIdle: (owner, delay, fire) => new IdleTimer(timers, owner, delay, call, fire),
  }
}

/**
 * The agent stops an exchange. That is a difference if the recorded run read the whole answer, or left it only after more of it had arrived.
 * A time limit may be the reason. If the run's own work (such as reading a file) is in progress, how much arrives is a matter of speed.
 */
function leaveAnswer(call: ReplayCall, delivery: HttpDelivery, run: Replay): void {
  const { planned, boundary, name } = call
  const { findings } = run
  const isLimited = findings.limits.stops(call)
  const left = delivery.stop()
  if (isLimited || left === undefined || planned?.settledPlace === undefined || findings.stop !== undefined) return
  const wasLeft = planned.settled?.by === 'agent'
  if (run.hasWorked() || (wasLeft && isOfThisTurn(left, run))) return
  const site = { stack: captureTrail().stack ?? '' }
  const [expected, received] = wasLeft
    ? [{ left: afterPieces(left.recorded) }, { left: afterPieces(left.delivered) }]
    : [{ read: 'to its end' }, { left: 'before its end' }]
  const fields = { step: planned.call.step, position: 'at', boundary, name, expected, received, site } as const
  findings.add({ place: planned.settledPlace, divergence: makeDivergence('outcome', fields) })
}

/** Whether the recorded run may have left an answer for the same reason: the next piece came within the same turn of the event loop. */
function isOfThisTurn({ next }: LeftAnswer, { plan, conductor }: Replay): boolean {
  return plan.ticks.find(({ rows }) => rows.includes(next))?.turn === conductor.last.turn
}

function afterPieces(count: number): string {
  return `after ${count} ${count === 1 ? 'piece' : 'pieces'}`
}
