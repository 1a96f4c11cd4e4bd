import { isUint8Array } from 'node:util/types'
import { answerEncoding } from '../http/codings.ts'
import { decodedBody } from '../http/decode-body.ts'
import { hostOf } from '../http/host-of.ts'
import { headerValue, meaningfulHeaders } from '../http/headers.ts'
import type { CapturedExchange, ExchangeStart } from '../run/active-run.ts'
import { bodyFromBytes, bodyFromText } from '../trace/body.ts'
import type { HeaderPairs, HttpBody, HttpInput, HttpOutput, RecordedError, ReturnRow, ThrowRow } from '../trace/rows.ts'
import type { RawBody, SentRequest } from './raw/raw-entry.ts'
import { announcedRequest } from './journal/announced-call.ts'
import { allowedAnswerHeaders } from '../redaction/answer-header-allowlist.ts'
import type { RowRecorder } from './row-recorder.ts'
import { textOf } from './side-effect-watch.ts'

/** How an exchange settles. */
type Settling = Omit<ReturnRow, 'step'> | Omit<ThrowRow, 'step'>

/** Records one HTTP exchange as it went over the wire. If recording fails, the exchange itself is not affected. */
export class ExchangeRecorder implements CapturedExchange {
  readonly step: number
  readonly #run: RowRecorder
  readonly #start: ExchangeStart
  readonly #dialect: string | undefined
  #sent = false
  #settled = false
  #answered = false
  /** The exchange settled without an answer before its request body was complete. */
  #isCutOff = false
  /** When the last part of the exchange was recorded. */
  #lastAt: number
  #outlasted: number | undefined
  /** The request and answer of an ambient call, from which other runs are answered. */
  #ambient: { input?: HttpInput; head?: Omit<HttpOutput, keyof HttpBody>; encoding?: string; readonly body: Uint8Array[] } | undefined

  /** @param dialect The name of the dialect when the exchange is a model call. */
  constructor(run: RowRecorder, step: number, start: ExchangeStart, dialect: string | undefined) {
    this.#run = run
    this.step = step
    this.#start = start
    this.#dialect = dialect
    if (run.isAmbient(this.#name)) this.#ambient = { body: [] }
    const { owner, method, url, ready } = start
    const at = run.at()
    this.#lastAt = at
    const sent = ready && this.#describe(ready.body)
    const dialectOf = dialect === undefined ? {} : { dialect }
    run.take({ kind: 'request', step, owner, method, url, ...dialectOf, at, ...(sent && { sent }) }, ready?.body)
    if (this.#isSideEffect) run.announce(announcedRequest(step, start, at))
    if (sent !== undefined) this.#sends(sent, ready?.body)
  }

  /** Neither a model call nor an ambient call, and not made inside a tool that declares its effect. */
  get #isSideEffect(): boolean {
    const { owner, method, url, ready } = this.#start
    if (this.#dialect !== undefined || this.#ambient !== undefined) return false
    return this.#run.sideEffects.infers(owner, { method, url, ...textOf(ready?.body) })
  }

  requestBody(body: RawBody, changed?: HeaderPairs): void {
    this.#run.attempt(() => this.#send(body, changed))
  }

  head(status: number, headers: HeaderPairs, url?: string, isDecoded?: boolean): void {
    this.#run.attempt(() => this.#head(status, headers, url, isDecoded))
  }

  data(bytes: Uint8Array): void {
    this.#run.attempt(() => this.#data(bytes))
  }

  end(trailers: HeaderPairs = []): void {
    this.#settle(() => {
      const output = trailers.length === 0 ? {} : { output: { trailers: allowedAnswerHeaders(trailers) } }
      const mark = this.#run.ticks.complete()
      return { kind: 'return', at: this.#partAt(), ...output, ...mark }
    })
  }

  fail(error: unknown): void {
    this.#settle(() => {
      const mark = this.#run.ticks.complete()
      return { kind: 'throw', at: this.#partAt(), error: this.#keepError(error), ...mark }
    })
  }

  stop(reason: unknown): void {
    this.#settle(() => {
      if (this.#answered) return { kind: 'return', at: this.#run.at(), by: 'agent' }
      const error = this.#keepError(reason ?? new DOMException('This operation was aborted', 'AbortError'))
      return { kind: 'throw', error, at: this.#run.at(), by: 'agent' }
    })
  }

  #send(body: RawBody, changed?: HeaderPairs): void {
    if (this.#sent) return
    const sent = this.#describe(body, changed)
    this.#run.take({ kind: 'sent', step: this.step, ...sent }, body)
    this.#sends(sent, body)
  }

  #describe(body: RawBody, changed?: HeaderPairs): SentRequest {
    this.#sent = true
    const all = changed ?? (typeof this.#start.headers === 'function' ? this.#start.headers() : this.#start.headers)
    const headers = meaningfulHeaders(all, this.#run.compareHeaders)
    const encoding = isUint8Array(body) ? headerValue(all, 'content-encoding') : undefined
    const cut = this.#isCutOff ? { cut: body?.length ?? 0 } : {}
    return { headers, attempt: retryCount(all), ...(encoding === undefined ? {} : { encoding }), ...cut }
  }

  #sends({ headers, encoding }: SentRequest, body: RawBody): void {
    const { method, url, owner } = this.#start
    if (this.#ambient !== undefined) this.#ambient.input = { method, url, headers, ...ambientBody(body, encoding) }
    else if (this.#dialect === undefined) this.#run.sideEffects.sends(this.step, owner, { method, url, headers }, body)
  }

  #head(status: number, headers: HeaderPairs, url?: string, isDecoded = false): void {
    if (this.#settled) return
    this.#beforeAnswer()
    this.#answered = true
    this.#run.sideEffects.answers(this.step, status)
    const encoding = isDecoded ? undefined : answerEncoding(this.#start.method, status, headers)
    const kept = { status, headers: allowedAnswerHeaders(headers), ...(url === undefined ? {} : { url }) }
    if (this.#ambient !== undefined) Object.assign(this.#ambient, { head: kept, encoding })
    const mark = this.#run.ticks.complete()
    this.#run.take({
      kind: 'head',
      step: this.step,
      at: this.#partAt(),
      ...kept,
      ...mark,
      ...(encoding === undefined ? {} : { encoding }),
    })
  }

  #data(bytes: Uint8Array): void {
    if (this.#settled || bytes.length === 0) return
    this.#ambient?.body.push(bytes.slice())
    this.#run.take({ kind: 'piece', step: this.step, at: this.#partAt(), ...this.#run.ticks.complete() }, bytes)
  }

  /** Does nothing if the exchange has already settled. A request body that was never completed is settled as far as it was sent. */
  #settle(settle: () => Settling): void {
    this.#run.attempt(() => {
      if (this.#settled) return
      this.#isCutOff = !this.#answered && !this.#sent
      this.#beforeAnswer()
      this.#settled = true
      const row = { ...settle(), step: this.step }
      const outlasted = this.#outlasted === undefined ? {} : { outlasted: this.#outlasted }
      this.#run.take({ kind: 'settled', row: { ...row, ...outlasted } })
      if (row.kind === 'return' && row.by === undefined) this.#keepAmbient()
    })
  }

  #keepError(error: unknown): RecordedError {
    return this.#run.keepError(error, `step ${this.step} error`)
  }

  /** Returns the time of a part of the answer that arrives now. A busy process may read the part before it checks the connection's idle limit. */
  #partAt(): number {
    const at = this.#run.at()
    const limit = this.#start.idleLimit?.() ?? 0
    if (limit > 0 && at - this.#lastAt >= limit) this.#outlasted = Math.min(this.#outlasted ?? Infinity, limit)
    this.#lastAt = at
    return at
  }

  #beforeAnswer(): void {
    if (!this.#sent) this.#start.cutBody?.()
    if (!this.#sent) this.#send(undefined)
  }

  get #name(): string {
    return this.#dialect ?? hostOf(this.#start.url).host
  }

  #keepAmbient(): void {
    const { input, head, body, encoding } = this.#ambient ?? {}
    if (input === undefined || head === undefined || body === undefined) return
    const output: HttpOutput = { ...head, ...ambientBody(Buffer.concat(body), encoding) }
    this.#run.keepAmbient({ boundary: this.#dialect === undefined ? 'http' : 'model', name: this.#name, input, output })
  }
}

/** Used in place of an exchange that is not recorded. */
export const unrecordedExchange: CapturedExchange = {
  requestBody: () => undefined,
  head: () => undefined,
  data: () => undefined,
  end: () => undefined,
  fail: () => undefined,
  stop: () => undefined,
}

function ambientBody(body: RawBody, encoding: string | undefined): HttpBody {
  if (body === undefined) return {}
  return typeof body === 'string' ? bodyFromText(body.toWellFormed()) : bodyFromBytes(decodedBody(body, encoding))
}

/** Returns the attempt number that a request states: OpenAI's and Anthropic's SDKs count their retries in a header. */
function retryCount(headers: HeaderPairs): number {
  const value = Number(headerValue(headers, 'x-stainless-retry-count'))
  return Number.isInteger(value) && value >= 0 ? value + 1 : 1
}
