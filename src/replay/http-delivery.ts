import type { AnswerSink } from '../run/active-run.ts'
import { headerOf } from '../trace/assemble.ts'
import { bodyFromBytes, bytesOfBody } from '../trace/body.ts'
import { toError } from '../trace/recorded-error.ts'
import type { CompletionRow, HeaderPairs, HttpOutput, ReturnRow } from '../trace/rows.ts'
import type { HttpAnswer } from './answers.ts'
import type { Delivery, LiveCall } from './live-call.ts'

/** Settles an HTTP exchange: hands a door the parts of its answer. */
export class HttpDelivery implements Delivery {
  readonly #sink: AnswerSink
  #call: LiveCall | undefined
  #onSettled: () => void = () => undefined
  #stopped = false
  #delivered = 0

  constructor(sink: AnswerSink) {
    this.#sink = sink
  }

  attach(call: LiveCall, onSettled: () => void): void {
    this.#call = call
    this.#onSettled = onSettled
  }

  /** The agent stopped the exchange: what is still to come of it reaches nobody. */
  stop(): void {
    this.#stopped = true
    this.#onSettled()
  }

  row(row: CompletionRow): void {
    if (this.#stopped) return
    switch (row.kind) {
      case 'head':
        return this.#sink.head(row.status, row.headers, row.url)
      case 'chunk':
        return this.#data(row.length === undefined ? bytesOfBody(row) : this.#sliceOfWhole(row.length), row.encoded)
      case 'return':
        return this.#return(row)
      case 'throw':
        this.#onSettled()
        return this.#sink.fail(toError(row.error))
      case 'timer':
      case 'signal':
        return
    }
  }

  answer(value: unknown): void {
    const { status, headers, body } = value as HttpAnswer
    if (this.#stopped) return
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    if (this.#call !== undefined)
      this.#call.outcome = { output: { status, headers, ...bodyFromBytes(bytes, headerOf(headers, 'content-type')) } }
    this.#onSettled()
    this.#whole(status, headers, body)
  }

  refuse(error: Error): void {
    if (!this.#stopped && this.#call !== undefined) this.#call.outcome = { error }
    this.#onSettled()
    if (!this.#stopped) this.#sink.fail(error)
  }

  #return(row: ReturnRow): void {
    this.#onSettled()
    const output = (row.output ?? {}) as HttpOutput
    const { status, headers = [], trailers, url } = output
    if (status !== undefined) return this.#whole(status, headers, wholeBody(output), trailers, url)
    // Where its chunks only told how much arrived, the rest of the body came with the end.
    const body = bytesOfBody(output)
    if (body.length > this.#delivered) this.#data(body.subarray(this.#delivered))
    this.#sink.end(output.trailers)
  }

  #whole(status: number, headers: HeaderPairs, body: string | Uint8Array, trailers?: HeaderPairs, url?: string): void {
    if (this.#sink.whole !== undefined) return this.#sink.whole(status, headers, body, url)
    this.#sink.head(status, headers, url)
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    if (bytes.length > 0) this.#sink.data(bytes)
    this.#sink.end(trailers)
  }

  #data(bytes: Uint8Array, isEncoded?: boolean): void {
    this.#delivered += bytes.length
    this.#sink.data(bytes, isEncoded)
  }

  #sliceOfWhole(length: number): Uint8Array {
    const settled = this.#call?.planned?.settled
    const body = settled?.kind === 'return' ? bytesOfBody(settled.output ?? {}) : new Uint8Array(0)
    return body.subarray(this.#delivered, this.#delivered + length)
  }
}

/** A whole body, as a door takes it. */
export function wholeBody({ json, text, bytes }: HttpOutput): string | Uint8Array {
  if (json !== undefined) return JSON.stringify(json)
  return text ?? bytes ?? ''
}
