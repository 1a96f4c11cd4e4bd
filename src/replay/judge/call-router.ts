import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { ReplayRedaction } from '../calls/replay-redaction.ts'
import type { MadeDraw } from './draws/correspondence.ts'

/** What a fork does with the calls from its step on. The plan ends before that step. */
export interface CallRouter {
  /** Whether the fork leaves its trace where the agent departs from it, which the plan does not know, and not where the plan ends. */
  readonly atDeparture: boolean
  /** With `atDeparture`: the recorded step with which the fork begins even if the agent does the same there. */
  readonly departsAt: number | undefined
  /** `strict`: the run has to be as recorded before the step. `keep`: changed calls that only read keep their recorded answers. */
  readonly prefix: 'strict' | 'keep'
  /** Everything before the step has happened. */
  begin(): void
  /** A call of the plan that the recorded run had open at the step was made: the rest of its answer comes when it is due. */
  meet(call: ReplayCall, step: PlannedStep): void
  /** Gets a call answered, or refuses it. What needs no waiting is done at once. */
  take(call: ReplayCall): void
}

/** What a fork may do to its run. */
export interface RouterContext {
  /** Virtual milliseconds since the run started. */
  readonly now: number
  readonly redaction: ReplayRedaction
  /** What the run drew so far. It grows. */
  readonly drawn: readonly MadeDraw[]
  /** Delivers at a moment. */
  schedule(due: number, deliver: () => void): void
  /** Lets time pass until a moment, which something took that the run waited for. */
  takeUntil(moment: number): void
  /** From now on, time passes as it really does. */
  runClock(): void
  /** The run waits until the release is called. */
  busy(): () => void
  /** Runs what reaches the world for the run. */
  live<Result>(body: () => Result): Result
  /** Stops the run at a call. */
  refuse(call: ReplayCall, reason: string): void
}
