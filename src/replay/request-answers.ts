import { isPromise } from 'node:util/types'
import { hostOf } from '../http/host-of.ts'
import { recogniseDialect } from '../models/recognise-dialect.ts'
import type { AnswerSink, AnsweredExchange, ExchangeStart, RequestBody } from '../run/active-run.ts'
import { captureTrail, type Trail } from '../run/call-site.ts'
import { answerMuted } from './answers/ambient-calls.ts'
import { answerOnceSent } from './answers/answer-once-sent.ts'
import { HttpDelivery, type RecordedHeads, requestOf } from './answers/http-delivery.ts'
import type { ReplayCall } from './calls/replay-call.ts'
import type { CallStart } from './calls/replay-calls.ts'
import { readExchange, type ReplaySide } from './calls/replayed-input.ts'
import type { RunActivity } from './engine/run-activity.ts'
import type { VirtualTimers } from './engine/virtual-timers.ts'
import { answeredExchange } from './judge/answered-exchange.ts'
import type { LeftOutCalls } from './answers/left-out-calls.ts'

/** The parts of a replay that answer its requests. */
interface AnsweringParts {
  readonly run: Parameters<typeof answerMuted>[0] & Parameters<typeof answeredExchange>[0] & { readonly heads: RecordedHeads }
  readonly leftOut: LeftOutCalls
  readonly side: ReplaySide
  readonly activity: RunActivity
  readonly timers: VirtualTimers
  /** Returns a host as the trace names it. */
  readonly nameOf: (host: string) => string
  /** @param url The request's. */
  readonly add: (start: CallStart, url: string) => ReplayCall
  readonly hear: (call: ReplayCall, url: string) => void
}

/** Answers the HTTP requests of a replayed run. */
export class RequestAnswers {
  readonly #parts: AnsweringParts

  constructor(parts: AnsweringParts) {
    this.#parts = parts
  }

  answer(start: ExchangeStart, body: RequestBody, sink: AnswerSink): AnsweredExchange {
    if (!isPromise(body)) return this.#answer({ ...start, ready: { body } }, body, sink)
    const { leftOut, activity } = this.#parts
    if (!leftOut.dependsOnBody(start)) return this.#answer(start, body, sink)
    const trail = captureTrail()
    return answerOnceSent(activity, body, sink, (sent) => this.#answer({ ...start, ready: { body: sent } }, sent, sink, trail))
  }

  /** @param trail Where the agent made the call, if that was earlier. */
  #answer(start: ExchangeStart, body: RequestBody, sink: AnswerSink, trail?: Trail): AnsweredExchange {
    const { run, leftOut, side, timers, nameOf, add, hear } = this.#parts
    const { owner, method, url } = start
    if (leftOut.mutes(start)) return answerMuted(run, sink, leftOut.contentTypeFor(start))
    const dialect = recogniseDialect(method, url)
    const boundary = dialect === undefined ? 'http' : 'model'
    const name = dialect ?? nameOf(hostOf(url).host)
    const delivery = new HttpDelivery(sink, run.heads)
    const input = isPromise(body) ? undefined : readExchange(start, boundary, name, body, side)
    const call = add({ owner, boundary, name, delivery, runs: false, input, isLate: run.finished }, url)
    call.trail = trail
    if (isPromise(body)) this.#send(call, start, body, sink)
    else {
      delivery.request = { start, body }
      hear(call, url)
    }
    return answeredExchange(run, timers, call, delivery)
  }

  /** Makes a call whose body has yet to be read. */
  #send(call: ReplayCall, start: ExchangeStart, body: Promise<Uint8Array | undefined>, sink: AnswerSink): void {
    const { activity, side, hear } = this.#parts
    call.trail = captureTrail()
    const arrive = async (): Promise<void> => {
      const sent = await body
      requestOf(call).request = { start, body: sent }
      call.input = readExchange(start, call.boundary, call.name, sent, side)
      hear(call, start.url)
    }
    void activity.send(call, arrive, sink.cutBody?.bind(sink)).catch((error: unknown) => sink.fail(error))
  }
}
