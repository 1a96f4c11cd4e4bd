import { requestOf } from '../replay/answers/http-delivery.ts'
import { Answers } from '../replay/answers/answers.ts'
import { createPlan, type Plan } from '../replay/calls/plan.ts'
import type { ReplaySettings } from '../replay/contract/replay-options.ts'
import { answerTime } from '../replay/judge/answer-time.ts'
import type { CallRouter, RouterContext } from '../replay/judge/call-router.ts'
import type { ForkedFrom } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'
import { copyValue } from '../trace/values.ts'
import { AnswerCache } from './answer-cache.ts'
import type { Budget } from './budget.ts'
import { isFileDriver } from './databases/file-drivers.ts'
import { ForkedCalls } from './forked-calls.ts'
import type { OwnOptions } from './fork-options.ts'
import type { ForkPlace } from './fork-point.ts'
import { LiveRequests } from './live-requests.ts'
import { OutgoingPolicy } from './outgoing.ts'
import { RecordedAnswers } from './recorded-answers.ts'
import { RequestEditor } from './request-edit.ts'

/** What a moment is forked with. */
interface MomentParts {
  readonly trace: Trace
  readonly place: ForkPlace
  readonly settings: ReplaySettings
  readonly own: OwnOptions
  readonly budget: Budget
  /** The recorded step at which the fork leaves the trace even if the agent does the same there. */
  readonly departsAt: number | undefined
}

/** A moment of a recorded run that is forked, any number of times. */
export class ForkMoment {
  /** What the trace of a fork says of it, before its calls have been routed. */
  readonly forkedFrom: ForkedFrom
  readonly #parts: MomentParts
  /** Everything that was recorded. */
  readonly #plan: Plan

  constructor(parts: MomentParts) {
    const { trace, place, own } = parts
    const { header, steps } = trace
    const edit = Object.keys(own.edit).length === 0 ? {} : { edit: copyValue(own.edit) as Readonly<Record<string, unknown>> }
    this.#parts = parts
    this.#plan = createPlan(
      trace,
      () => false,
      () => true,
    )
    this.forkedFrom = { id: header.id, step: place.step?.step ?? steps.length + 1, ...edit, routes: {} }
  }

  /**
   * Makes what answers the calls of one fork.
   *
   * @param databases Answers of sandboxes, by driver.
   */
  router(seed: number, databases: ReplaySettings['answers']): (context: RouterContext) => CallRouter {
    const { trace, place, settings, own, budget, departsAt } = this.#parts
    const { prefix, then, route, edit, clock, cache } = own
    const runsClock = clock !== 'virtual'
    const live = new LiveRequests({
      policy: new OutgoingPolicy(trace, own),
      budget,
      cache: cache === undefined ? undefined : new AnswerCache(cache),
      of: { trace: trace.hash, step: this.forkedFrom.step, seed },
      runsClock,
    })
    const answers = { [place.step?.name ?? '']: edit.answer }
    return (context) => {
      const side = { rules: settings.rules, redaction: context.redaction, headers: trace.header.compareHeaders }
      return new ForkedCalls(
        {
          prefix,
          atDeparture: own.at === undefined,
          departsAt,
          step: place.step,
          then,
          rules: route,
          runsClock,
          ...('answer' in edit && { answer: new Answers({ ...settings, answers, handlers: [] }) }),
          ...(edit.request !== undefined && { editor: new RequestEditor(edit.request, side) }),
          recorded: new RecordedAnswers(trace, this.#plan, settings.rules, context),
          hasFile: (driver) => Object.hasOwn(own.databases, driver) && isFileDriver(driver),
          sandbox: new Answers({ ...settings, answers: { ...databases, ...settings.answers } }),
          timeOf: (call) => answerTime(this.#plan, call, call.heldAgainst),
          send: (call) => live.send(call, requestOf(call), context),
        },
        context,
      )
    }
  }
}
