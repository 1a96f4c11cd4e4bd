import { callSite, captureTrail } from '../../run/call-site.ts'
import { answerInNextTurn } from '../answers/ambient-calls.ts'
import { isRead } from '../calls/is-read.ts'
import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import { giveRow } from '../engine/recipients.ts'
import type { JudgeParts } from './judge-parts.ts'
import type { Matcher } from './matcher.ts'

/** An interval may make calls for a minute. */
const mostListed = 50

/**
 * Calls that outlived the run and equal no recorded step that is left. Reads may come and go: one that repeats a recorded read gets its answer once
 * more, so that what follows on it is judged. One that was never recorded has no answer.
 */
export class LateCalls {
  readonly #parts: JudgeParts
  readonly #matcher: Matcher

  constructor(parts: JudgeParts, matcher: Matcher) {
    this.#parts = parts
    this.#matcher = matcher
  }

  /** Answers a read whose recorded function gave its value without a promise: the agent goes on with it at once. Returns whether it is one. */
  answerAtOnce(call: ReplayCall): boolean {
    const step = this.#repeated(call)
    if (step?.settled?.sync !== true) return false
    call.source = step
    return true
  }

  /** Answers a read that repeats a recorded one, with what that one got last. Returns whether it is one. */
  answer(call: ReplayCall): boolean {
    const step = this.#repeated(call)
    const last = step?.completions.at(-1)
    if (step === undefined || last === undefined) return false
    call.source = step
    const { conductor } = this.#parts
    answerInNextTurn(this.#parts, () => {
      conductor.takeUntil(call.at + last.at - step.call.at)
      for (const row of step.completions) giveRow(call.delivery, row)
      conductor.wake()
    })
    return true
  }

  /**
   * Whether a call without an answer is no finding: it only reads, or the trace does not cover what happened after the end. It never settles: nobody
   * waits for it, and its rejection would be one that nobody handles.
   */
  isNoFinding(call: ReplayCall): boolean {
    if (isRead(call, this.#parts.plan.effects)) return true
    if (this.#parts.plan.isWatched) return false
    const { lateCalls } = this.#parts.findings
    if (lateCalls.length === mostListed) return true
    const site = callSite((call.trail ?? captureTrail()).stack)
    lateCalls.push({ name: call.name, ...(site && { site }) })
    return true
  }

  #repeated(call: ReplayCall): PlannedStep | undefined {
    if (!call.isLate || call.runs || !isRead(call, this.#parts.plan.effects)) return undefined
    return this.#matcher.groupOf(call).takenEqual(call)
  }
}
