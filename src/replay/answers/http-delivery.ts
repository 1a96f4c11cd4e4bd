import type { AnswerSink, ExchangeStart } from '../../run/active-run.ts'
import { headerOf } from '../../trace/assemble.ts'
import { bodyFromBytes, bytesOfBody } from '../../trace/body.ts'
import { toError } from '../../trace/recorded-error.ts'
import type { AnswerHead, KnownBody } from '../../http/answer-head.ts'
import { withReceivedDigests } from '../../trace/http-head.ts'
import type { HeaderPairs, HttpHead } from '../../trace/http-facts.ts'
import type { CompletionRow, HeadRow, HttpOutput, ReturnRow, Undecoded } from '../../trace/rows.ts'
import type { HttpAnswer } from './http-answer.ts'
import type { PlannedStep } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import { printJson } from '../calls/printed-json.ts'
import { recordedPieces, withComputedDigests } from './recorded-body.ts'
import { SinkDelivery } from './sink-delivery.ts'

/** A request with its body. */
export interface AgentRequest {
  readonly start: ExchangeStart
  readonly body: Uint8Array | string | undefined
}

/** How much of an answer had arrived when the agent left it, in pieces. The recorded run got more. */
export interface LeftAnswer {
  readonly delivered: number
  readonly recorded: number
  /** The first piece that did not arrive. */
  readonly next: CompletionRow
}

/** A decoded part of a live answer. */
export type LivePart =
  | ({ readonly kind: 'head' } & HttpHead)
  | { readonly kind: 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'end' }
  | { readonly kind: 'fail'; readonly error: unknown }

/** What all heads of a trace have in common. */
export class RecordedHeads {
  /** The names of the headers that were left out and that the agent asked for. */
  readonly missed: Set<string> = new Set()
  readonly #isReceived: boolean

  /** @param format Of the trace. Formats before 3 have only some of the headers that were received. */
  constructor(format: number) {
    this.#isReceived = format > 2
  }

  /** Returns what a door needs to know of each head. */
  get facts(): Pick<AnswerHead, 'isReceived' | 'onLeftOut'> {
    return { isReceived: this.#isReceived, onLeftOut: this.#onLeftOut }
  }

  readonly #onLeftOut = (name: string): void => void this.missed.add(name)
}

/** Settles an HTTP exchange: passes the parts of its answer to a door. */
export class HttpDelivery extends SinkDelivery<AnswerSink> {
  /** The request as the agent made it; a fork may edit and send it. Released when the call settles. */
  request: AgentRequest | undefined
  /** Called when the agent stops the exchange. */
  onStop: (() => void) | undefined
  /** The body, if its chunks only record how much of it arrived. */
  #whole: Uint8Array | undefined
  #delivered = 0
  #chunks = 0
  readonly #recorded: RecordedHeads

  constructor(sink: AnswerSink, recorded: RecordedHeads) {
    super(sink)
    this.#recorded = recorded
  }

  /**
   * The agent stopped the exchange, so the rest of the answer is dropped.
   *
   * @returns How much had arrived, if the recorded run got more; else undefined.
   */
  stop(): LeftAnswer | undefined {
    this.onStop?.()
    if (this.release() === undefined || this.call?.planned === undefined) return undefined
    const { settled, completions } = this.call.planned
    if (settled?.kind !== 'return' && settled?.by !== 'agent') return undefined
    const pieces = completions.filter(({ kind }) => kind === 'chunk')
    const next = pieces[this.#chunks]
    return next && { delivered: this.#chunks, recorded: pieces.length, next }
  }

  protected deliver(row: CompletionRow): void {
    if ('connection' in row && row.connection !== undefined) this.sink?.connection?.(row.connection)
    switch (row.kind) {
      case 'head':
        return this.#head(row)
      case 'chunk':
        this.#chunks += 1
        return this.#data(row.length === undefined ? bytesOfBody(row) : this.#sliceOfWhole(row.length), row.encoded)
      case 'return':
        return this.#return(row)
      case 'throw':
        return this.release()?.fail(toError(row.error))
      case 'timer':
      case 'signal':
        return
    }
  }

  /** Delivers a part of a live answer. @param row Makes its row. */
  live(part: LivePart, row: () => CompletionRow): void {
    this.arrive(row, part.kind === 'end' || part.kind === 'fail', () => {
      if (part.kind === 'head') this.sink?.head({ ...part, isReceived: true })
      else if (part.kind === 'data') this.sink?.data(part.bytes)
      else if (part.kind === 'end') this.release()?.end()
      else this.release()?.fail(part.error)
    })
  }

  answer(value: unknown): void {
    const answer = value as HttpAnswer
    const { body, ...head } = answer
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    this.tell({ output: { ...head, ...bodyFromBytes(bytes, headerOf(head.headers, 'content-type')) } })
    const method = this.request?.start.method
    deliverWhole(this.release(), method, head, body)
  }

  #return(row: ReturnRow): void {
    const method = this.request?.start.method
    const sink = this.release()
    const output = (row.output ?? {}) as HttpOutput
    const { json: _json, text: _text, bytes: _bytes, trailers, status, headers = [], ...head } = output
    if (status !== undefined)
      return deliverWhole(sink, method, { ...head, status, headers, ...this.#recorded.facts }, wholeBody(output), trailers)
    // If the chunks only record how much arrived, the rest of the body comes with the end.
    const body = bytesOfBody(output)
    if (body.length > this.#delivered) sink?.data(body.subarray(this.#delivered))
    sink?.end(trailers)
  }

  #head(row: HeadRow): void {
    const { completions = [], settled }: Partial<PlannedStep> = this.call?.source ?? this.call?.planned ?? {}
    const isWhole = settled?.kind === 'return' && settled.by === undefined
    const output = (isWhole ? (settled.output ?? {}) : {}) as HttpOutput
    const body = (): KnownBody => ({ pieces: recordedPieces(completions, output), isWhole })
    const head = { ...withReceivedDigests(row, output), ...this.#recorded.facts, body }
    this.sink?.head(withComputedDigests(this.request?.start.method ?? 'GET', head))
  }

  #data(bytes: Uint8Array, encoded?: Undecoded): void {
    this.#delivered += bytes.length
    this.sink?.data(bytes, encoded)
  }

  protected override release(): AnswerSink | undefined {
    this.#whole = undefined
    this.request = this.onStop = undefined
    return super.release()
  }

  #sliceOfWhole(length: number): Uint8Array {
    this.#whole ??= this.#readWhole()
    return this.#whole.subarray(this.#delivered, this.#delivered + length)
  }

  #readWhole(): Uint8Array {
    const settled = (this.call?.source ?? this.call?.planned)?.settled
    return settled?.kind === 'return' ? bytesOfBody(settled.output ?? {}) : new Uint8Array(0)
  }
}

/** The delivery of a request. */
export function requestOf({ delivery }: Pick<ReplayCall, 'delivery'>): HttpDelivery {
  return delivery as HttpDelivery
}

function deliverWhole(
  sink: AnswerSink | undefined,
  method: string | undefined,
  recorded: AnswerHead,
  body: string | Uint8Array,
  trailers?: HeaderPairs,
): void {
  if (sink === undefined) return
  const head = withComputedDigests(method ?? 'GET', { ...recorded, body: () => ({ pieces: [{ bytes: body }], isWhole: true }) })
  if (sink.whole !== undefined) return sink.whole(head, body)
  sink.head(head)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (bytes.length > 0) sink.data(bytes)
  sink.end(trailers)
}

/** A whole body in the form that doors accept. */
export function wholeBody({ json, text, bytes }: HttpOutput): string | Uint8Array {
  if (json !== undefined) return printJson(json)
  return text ?? (bytes === undefined ? '' : bytesOfBody({ bytes }))
}
