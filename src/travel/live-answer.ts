import { ExchangeKeeper, sharedByExchanges } from '../record/keep/exchange-keeper.ts'
import { Places } from '../redaction/places.ts'
import { currentVariables } from '../node/variables.ts'
import { headerValue } from '../http/headers.ts'
import { withoutStandardText } from '../http/status-text.ts'
import type { HttpDelivery, LivePart } from '../replay/answers/http-delivery.ts'
import type { ReplayCall } from '../replay/calls/replay-call.ts'
import type { ReplayRedaction } from '../replay/calls/replay-redaction.ts'
import { bodyFromBytes } from '../trace/body.ts'
import { toRecordedError } from '../trace/recorded-error.ts'
import type { CompletionRow, HttpOutput, Row } from '../trace/rows.ts'

/** A live answer. It is passed to the agent as it arrives, and kept as rows that are redacted as a recording is. */
export class LiveAnswer {
  readonly call: ReplayCall
  readonly delivery: HttpDelivery
  readonly #redaction: ReplayRedaction
  readonly #parts: LivePart[] = []
  readonly #times: number[] = []
  #rows: readonly CompletionRow[] | undefined

  constructor(call: ReplayCall, delivery: HttpDelivery, redaction: ReplayRedaction) {
    this.call = call
    this.delivery = delivery
    this.#redaction = redaction
    call.arrived = () => redaction.toRead(this.output)
  }

  /** @param after Milliseconds since the call. */
  take(part: LivePart, after: number): void {
    if (this.call.state !== 'open') return
    const index = this.#parts.push(part) - 1
    this.#times.push(after)
    if (part.kind === 'fail') this.call.outcome = { error: this.#redaction.redactError(toRecordedError(part.error)) }
    this.delivery.live(part, () => this.#rowOf(index))
  }

  /** Returns what has arrived, as the agent got it. */
  get output(): HttpOutput {
    const head = this.#parts.find((part) => part.kind === 'head')
    const pieces = this.#parts.flatMap((part) => (part.kind === 'data' ? [part.bytes] : []))
    const { status, headers = [], statusText } = head === undefined ? {} : withoutStandardText(head)
    return {
      ...(status !== undefined && { status }),
      ...(statusText !== undefined && { statusText }),
      headers,
      ...bodyFromBytes(Buffer.concat(pieces), headerValue(headers, 'content-type')),
    }
  }

  /** Returns a row for each part, with milliseconds since the call. */
  get rows(): readonly CompletionRow[] {
    return (this.#rows ??= toRows(this.#parts, this.#redaction).map((row, index) => ({ ...row, at: this.#times[index] ?? 0 })))
  }

  #rowOf(index: number): CompletionRow {
    const row = this.rows[index]
    if (row === undefined) throw new TypeError('a part of a live answer has no row')
    return row
  }
}

/** Returns a row for each part. The log sets their numbers and times. */
function toRows(parts: readonly LivePart[], { redactor }: ReplayRedaction): CompletionRow[] {
  const [step, at] = [1, 0]
  const rows: Row[] = []
  const request = { kind: 'request', step, owner: 0, method: 'GET', url: 'http://live.example/', at } as const
  const keeper = new ExchangeKeeper(request, new Places((row) => rows.push(row)), redactor, sharedByExchanges(redactor, currentVariables))
  keeper.sent({ headers: [], attempt: 1 }, undefined)
  for (const part of parts) {
    if (part.kind === 'head') keeper.head({ ...withoutStandardText(part), step, at })
    else if (part.kind === 'data') keeper.piece({ kind: 'piece', step, at }, part.bytes)
    else if (part.kind === 'end') keeper.settle({ kind: 'return', step, at })
    else keeper.settle({ kind: 'throw', step, at, error: toRecordedError(part.error) })
  }
  // An answer that the agent stopped reading has no end.
  keeper.end()
  return rows.slice(1) as CompletionRow[]
}
