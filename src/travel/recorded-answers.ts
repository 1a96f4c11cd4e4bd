import type { PathRules } from '../divergence/path-rules.ts'
import { groupOf, type Plan, type PlannedStep } from '../replay/calls/plan.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import { drawsOf } from '../replay/judge/draws/draws-of.ts'
import { Matcher } from '../replay/judge/matcher.ts'
import type { RouterContext } from '../replay/judge/call-router.ts'
import type { Trace } from '../trace/trace.ts'

/** The answers of a recorded run by the content of its calls, in whatever order these are made. */
export class RecordedAnswers {
  readonly #plan: Plan
  readonly #matcher: Matcher

  /** @param whole The plan of everything that was recorded. */
  constructor(trace: Trace, whole: Plan, rules: PathRules, { redaction, drawn }: Pick<RouterContext, 'redaction' | 'drawn'>) {
    // A call in a tool that runs may have been made by the agent itself, and the other way round.
    const steps = new Map([...whole.steps].map(([number, step]) => [number, { ...step, call: { ...step.call, owner: 0 } }]))
    const groups = Map.groupBy(steps.values(), ({ call }) => groupOf(call))
    this.#plan = { ...whole, steps, groups }
    this.#matcher = new Matcher(this.#plan, rules, redaction.renaming, drawsOf(trace, whole, drawn))
  }

  /** The step with this number. */
  step(number: number): PlannedStep | undefined {
    return this.#plan.steps.get(number)
  }

  /** The fork made a recorded step itself. */
  take(step: PlannedStep): void {
    const own = this.step(step.call.step)
    if (own !== undefined) this.#matcher.take(own)
  }

  /**
   * The recorded step that a call equals, and that no other call has taken; for one that only reads, else the last one that was taken.
   * Undefined if there is none.
   */
  find(call: ReplayCall, isWrite: boolean): PlannedStep | undefined {
    const asked = { ...call, owner: undefined }
    const step = this.#matcher.takeEqual(asked) ?? this.#matcher.takeAlike(asked, () => true)
    return step ?? (isWrite ? undefined : this.made(call))
  }

  /** The last recorded step that a call equals, and that the fork has made. */
  made(call: ReplayCall): PlannedStep | undefined {
    return this.#matcher.takenEqual({ ...call, owner: undefined })
  }
}
