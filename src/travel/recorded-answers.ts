import type { PathRules } from '../divergence/path-rules.ts'
import { groupOf, type Plan, type PlannedStep } from '../replay/calls/plan.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import { drawsOf } from '../replay/judge/draws/draws-of.ts'
import { CredentialCheck } from '../replay/judge/credential-check.ts'
import { Matcher } from '../replay/judge/matcher.ts'
import type { RouterContext } from '../replay/judge/call-router.ts'
import type { Trace } from '../trace/trace.ts'

/** The answers of a recorded run by the content of its calls, in any order. */
export class RecordedAnswers {
  readonly #plan: Plan
  readonly #matcher: Matcher

  /** @param whole The plan of the whole recording. */
  constructor(trace: Trace, whole: Plan, rules: PathRules, { redaction, drawn }: Pick<RouterContext, 'redaction' | 'drawn'>) {
    // A call inside a tool whose function runs may have been made by the agent itself in the recorded run, and vice versa.
    const steps = new Map([...whole.steps].map(([number, step]) => [number, { ...step, call: { ...step.call, owner: 0 } }]))
    const groups = Map.groupBy(steps.values(), ({ call }) => groupOf(call, redaction.renaming.sides.recorded))
    this.#plan = { ...whole, steps, groups }
    const credentials = new CredentialCheck(redaction, rules)
    this.#matcher = new Matcher(this.#plan, rules, redaction, drawsOf(trace, whole, drawn), credentials)
  }

  /** Returns the step with this number. */
  step(number: number): PlannedStep | undefined {
    return this.#plan.steps.get(number)
  }

  /** Marks a recorded step as made by the fork itself. */
  take(step: PlannedStep): void {
    const own = this.step(step.call.step)
    if (own !== undefined) this.#matcher.take(own)
  }

  /**
   * Returns the recorded step that a call equals and that no other call has taken. A call that only reads may also get the last step that was taken.
   * Undefined if there is none.
   */
  find(call: ReplayCall, isWrite: boolean): PlannedStep | undefined {
    const asked = { ...call, owner: undefined }
    const group = this.#matcher.groupOf(asked)
    const step = group.takeEqual(asked, () => true) ?? group.takeAlike(asked, () => true)
    return step ?? (isWrite ? undefined : this.made(call))
  }

  /** Returns the last recorded step that a call equals and that the fork has made. */
  made(call: ReplayCall): PlannedStep | undefined {
    const asked = { ...call, owner: undefined }
    return this.#matcher.groupOf(asked).takenEqual(asked)
  }
}
