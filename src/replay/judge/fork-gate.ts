import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { CallRouter } from './call-router.ts'
import type { JudgeParts } from './judge-parts.ts'

type GateParts = Pick<JudgeParts, 'conductor' | 'findings' | 'incident'>

/** Decides which calls of a fork come from its step on, and passes them to the fork. */
export class ForkGate {
  readonly #router: CallRouter
  readonly #parts: GateParts
  /** Calls that came too early to be after the step, and may only be out of order. */
  #held: ReplayCall[] = []
  #isOpen = false

  constructor(router: CallRouter, parts: GateParts) {
    this.#router = router
    this.#parts = parts
  }

  /** Whether calls wait for the step. */
  get isHolding(): boolean {
    return this.#held.length > 0
  }

  /** Takes a call, if everything before the step has happened. Returns whether it did. */
  take(call: ReplayCall): boolean {
    if (!this.#isOpen) {
      if (this.#router.atDeparture || !this.#parts.conductor.isThrough) return false
      this.#isOpen = true
      // The agent has not done what was expected before the step.
      if (this.#parts.findings.reachFork(this.#router.prefix)) return false
      this.#router.begin()
    }
    this.#route(call)
    this.#parts.conductor.wake()
    return true
  }

  /** A call that the plan does not have comes before the step. Returns whether it is held until the run waits for nothing else. */
  hold(call: ReplayCall): boolean {
    if (this.#router.atDeparture) return false
    this.#held.push(call)
    return true
  }

  /** Whether the fork begins with this recorded step at the latest. */
  departsWith({ call: { step } }: PlannedStep): boolean {
    const { departsAt } = this.#router
    return departsAt !== undefined && step >= departsAt
  }

  /** The agent departs from the trace with a call. Returns whether the fork begins with it. */
  depart(call: ReplayCall): boolean {
    if (!this.#router.atDeparture || this.#isOpen) return false
    this.#isOpen = true
    this.#parts.findings.beginFork()
    this.#parts.conductor.leavePlan()
    this.#router.begin()
    this.#route(call)
    return true
  }

  #route(call: ReplayCall): void {
    this.#router.take(call)
    // The call got the answer of a recorded step.
    if (call.source !== undefined) this.#parts.incident?.made(call, call.source)
  }

  /** Returns the held calls, once the run waits for nothing else. */
  release(): ReplayCall[] {
    return this.#held.splice(0)
  }
}
