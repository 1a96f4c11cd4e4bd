import { captureTrail } from '../run/call-site.ts'
import { Answers } from './answers.ts'
import type { Conductor } from './conductor.ts'
import type { Findings } from './findings.ts'
import type { LiveCall } from './live-call.ts'
import { Matcher } from './matcher.ts'
import type { Plan, PlannedStep } from './plan.ts'
import { RefusedError } from './refused-error.ts'
import type { ReplaySettings } from './replay-options.ts'

/** After so many refusals calls no longer settle: an agent that catches everything and tries again would never end. */
const refusalLimit = 50

/** What a judge works with. */
export interface Court {
  readonly plan: Plan
  readonly conductor: Conductor
  readonly findings: Findings
  readonly settings: ReplaySettings
  /** The run has work of its own under way until the release is called. */
  busy(): () => void
}

/** Finds out what each call of a replay is: a recorded step, one that changed, or one that the trace does not have; and sees to its answer. */
export class CallJudge {
  /** The replay ends here and now, whatever the agent does. */
  exhausted = false
  readonly #court: Court
  readonly #matcher: Matcher
  readonly #answers: Answers
  #undecided: LiveCall[] = []
  #refusals = 0

  constructor(court: Court) {
    this.#court = court
    this.#matcher = new Matcher(court.plan)
    this.#answers = new Answers(court.settings)
  }

  /** A call with an equal recorded one is that; for any other the turn of the event loop has to end first. */
  hear(call: LiveCall): void {
    if (!this.#takeEqual(call)) {
      // Only now is the agent's code still on the stack.
      call.trail ??= captureTrail()
      this.#undecided.push(call)
    }
    this.#court.conductor.wake()
  }

  /** Decides on the calls since the last turn: all equal inputs first, then what is left is held against what is due. */
  decide(): boolean {
    const ready = this.#undecided.filter((call) => call.input !== undefined)
    if (ready.length === 0) return false
    this.#undecided = this.#undecided.filter((call) => call.input === undefined)
    const unequal = ready.filter((call) => !this.#takeEqual(call))
    for (const call of unequal) this.#decideUnequal(call)
    return true
  }

  #takeEqual(call: LiveCall): boolean {
    const step = this.#isStopped() ? undefined : this.#matcher.takeEqual(call)
    if (step !== undefined) this.#meet(call, step)
    return step !== undefined
  }

  #meet(call: LiveCall, step: PlannedStep): void {
    call.planned = step
    this.#court.findings.made(call, step)
    this.#court.conductor.meet(step, call)
  }

  #decideUnequal(call: LiveCall): void {
    const { findings, settings, conductor } = this.#court
    if (this.#isStopped()) return this.#refuse(call)
    const due = this.#matcher.repeats(call) ? [] : this.#matcher.untaken(call).filter((step) => conductor.isDue(step))
    const { step, isAllowed, ...finding } = findings.unequal(call, due)
    if (step !== undefined) this.#matcher.take(step)
    // A tool whose function runs needs no answer; where its input changed, that is all there is to say.
    if (step !== undefined && (isAllowed || call.runs || (settings.mode === 'continue' && !this.#answers.has(call)))) {
      call.changed = !isAllowed
      return this.#meet(call, step)
    }
    if (call.runs) return
    const answer = this.#answers.for(call)
    if (answer !== undefined) {
      if (step !== undefined) findings.replaced(step)
      return this.#answer(call, answer)
    }
    if (settings.mode !== 'continue') findings.stopAt(finding)
    this.#refuse(call)
  }

  #answer(call: LiveCall, answer: Promise<unknown>): void {
    const release = this.#court.busy()
    const refuse = (error: unknown): void => call.delivery.refuse(error instanceof Error ? error : new Error(String(error)))
    void answer
      .then((value) => call.delivery.answer(value))
      .catch(refuse)
      .finally(release)
  }

  /** Counts what was refused, here or elsewhere, towards the limit. */
  countRefusal(): void {
    this.#refusals += 1
    if (this.#refusals > refusalLimit) this.exhausted = true
  }

  #refuse(call: LiveCall): void {
    this.countRefusal()
    if (!this.exhausted) call.delivery.refuse(new RefusedError(call, this.#court.findings.stop?.divergence))
  }

  #isStopped(): boolean {
    return this.exhausted || this.#court.findings.stop !== undefined
  }
}
