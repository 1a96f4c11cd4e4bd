import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import type { MadeDraw } from './draws/correspondence.ts'

/** Routes the calls of a fork from its step on. The plan ends before that step. */
export interface CallRouter {
  /** Whether the fork begins where the agent departs from the trace, which the plan does not know, instead of where the plan ends. */
  readonly atDeparture: boolean
  /** With `atDeparture`: the recorded step at which the fork begins, even if the agent does the same there. */
  readonly departsAt: number | undefined
  /** `strict`: the run has to match the recording before the step. `keep`: changed calls that only read keep their recorded answers. */
  readonly prefix: 'strict' | 'keep'
  /** Everything before the step has happened. */
  begin(): void
  /** A call of the plan was made that the recorded run had open at the step. The rest of its answer comes when it is due. */
  meet(call: ReplayCall, step: PlannedStep): void
  /** Answers a call or refuses it. If that needs no waiting, it is done immediately. */
  take(call: ReplayCall): void
}

/** The operations that a fork may perform on its run. */
export interface RouterContext {
  /** Virtual milliseconds since the run started. */
  readonly now: number
  readonly redaction: ReplayRedaction
  /** The draws of the run so far. It grows. */
  readonly drawn: readonly MadeDraw[]
  /** Delivers at a moment. */
  schedule(due: number, deliver: () => void): void
  /** Advances time to a moment, because the run waited for something that took until then. */
  takeUntil(moment: number): void
  /** From now on, time passes in real time. */
  runClock(): void
  /** The run counts as busy until the release is called. */
  busy(): () => void
  /** Runs code that reaches the world for the run. */
  live<Result>(body: () => Result): Result
  /** Stops the run at a call. */
  refuse(call: ReplayCall, reason: string): void
}
