import type { AnsweredExchange } from '../../run/active-run.ts'
import type { HttpDelivery } from '../answers/http-delivery.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import { IdleTimer } from '../engine/idle-timer.ts'
import type { VirtualTimers } from '../engine/virtual-timers.ts'
import { leaveAnswer, type LeavingRun } from './left-answer.ts'

/** A replay, with what is used of it. */
interface Replay extends LeavingRun {
  /** Whether the agent has returned or thrown. */
  readonly finished: boolean
}

/** The exchange of a call, as its door sees it. */
export function answeredExchange(run: Replay, timers: VirtualTimers, call: ReplayCall, delivery: HttpDelivery): AnsweredExchange {
  return {
    // A recording has no answers that an agent dropped after it had returned.
    stop: () => (run.finished ? undefined : leaveAnswer(call, delivery, run)),
    limitIdle: (owner, delay, fire) => new IdleTimer(timers, owner, delay, call, fire),
  }
}
