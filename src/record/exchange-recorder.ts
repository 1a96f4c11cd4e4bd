import { isUint8Array } from 'node:util/types'
import { answerEncoding } from '../http/codings.ts'
import { decodedBody } from '../http/decode-body.ts'
import { hostOf } from '../http/host-of.ts'
import { headerValue } from '../http/headers.ts'
import { askingHeaders } from '../http/request-headers.ts'
import { takeHeaderCredentials, takeUrlCredentials } from '../http/sent-credentials.ts'
import type { RawBody, SentRequest } from './raw/raw-entry.ts'
import { withoutLeftOut } from '../http/left-out-headers.ts'
import { withoutStandardText } from '../http/status-text.ts'
import type { AnswerHead } from '../http/answer-head.ts'
import type { CapturedExchange, ExchangeStart } from '../run/active-run.ts'
import { bodyFromBytes, bodyFromText } from '../trace/body.ts'
import { isInformational } from '../trace/http-head.ts'
import type { ConnectionState, HeaderPairs, HttpHead } from '../trace/http-facts.ts'
import type { HttpBody, HttpInput, HttpOutput, RecordedError, ReturnRow, ThrowRow } from '../trace/rows.ts'
import { announcedRequest } from './journal/announced-call.ts'
import type { RowRecorder } from './row-recorder.ts'

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
  #ambient: { input?: HttpInput; head?: HttpHead; encoding?: string; readonly body: Uint8Array[] } | undefined

  /** @param dialect The name of the dialect when the exchange is a model call. */
  constructor(run: RowRecorder, step: number, start: ExchangeStart, dialect: string | undefined) {
    this.#run = run
    this.step = step
    this.#start = start
    this.#dialect = dialect
    const { owner, method, url, redirect, ready } = start
    if (run.ambient.mayServe({ boundary: this.#boundary, name: this.#name, input: { method, url } })) this.#ambient = { body: [] }
    const at = run.at()
    this.#lastAt = at
    const sent = ready && this.#describe(ready.body)
    const dialectOf = dialect === undefined ? {} : { dialect }
    const how = redirect === undefined ? dialectOf : { ...dialectOf, redirect }
    run.take({ kind: 'request', step, owner, method, url, ...how, at, ...(sent && { sent }) }, ready?.body)
    if (this.#isSideEffect) run.announce(announcedRequest(step, start, at))
    if (sent !== undefined) this.#sends(sent, ready?.body)
  }

  /** Neither a model call nor an ambient call, and not made inside a tool that declares its effect. */
  get #isSideEffect(): boolean {
    const { owner, method, url, ready } = this.#start
    if (this.#dialect !== undefined || this.#ambient !== undefined) return false
    return this.#run.sideEffects.infers(owner, { method, url }, ready?.body)
  }

  requestBody(body: RawBody, changed?: HeaderPairs, isPart = false): void {
    this.#run.attempt(() => this.#send(body, changed, isPart))
  }

  head(head: AnswerHead, isDecoded?: boolean): void {
    this.#run.attempt(() => (isInformational(head.status) ? this.#inform(head) : this.#head(head, isDecoded)))
  }

  data(bytes: Uint8Array): void {
    this.#run.attempt(() => this.#data(bytes))
  }

  end(trailers: HeaderPairs = []): void {
    this.#settle(() => {
      const output = trailers.length === 0 ? {} : { output: { trailers } }
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

  #send(body: RawBody, changed?: HeaderPairs, isPart?: boolean): void {
    if (this.#sent) return
    const sent = this.#describe(body, changed, isPart)
    this.#run.take({ kind: 'sent', step: this.step, ...sent }, body)
    this.#sends(sent, body)
  }

  #describe(body: RawBody, changed?: HeaderPairs, isPart = false): SentRequest {
    this.#sent = true
    const all = changed ?? (typeof this.#start.headers === 'function' ? this.#start.headers() : this.#start.headers)
    const headers = askingHeaders(all, this.#run.compareHeaders)
    const client = headerValue(all, 'user-agent')
    const encoding = isUint8Array(body) ? headerValue(all, 'content-encoding') : undefined
    const cut = isPart || this.#isCutOff ? { cut: body?.length ?? 0 } : {}
    const who = client === undefined ? {} : { client }
    return { headers, attempt: retryCount(all), ...who, ...(encoding === undefined ? {} : { encoding }), ...cut }
  }

  #sends({ headers, encoding }: SentRequest, body: RawBody): void {
    const { method, url, owner } = this.#start
    if (this.#ambient !== undefined) {
      const asked = { url: takeUrlCredentials(url).asked, headers: takeHeaderCredentials(headers).asked }
      this.#ambient.input = { method, ...asked, ...ambientBody(body, encoding) }
    } else if (this.#dialect === undefined) this.#run.sideEffects.sends(this.step, owner, { method, url, headers }, body)
    else this.#run.sideEffects.asks(owner)
  }

  #head(head: AnswerHead, isDecoded = false): void {
    if (this.#settled) return
    this.#beforeAnswer()
    this.#answered = true
    const { status, headers } = head
    this.#run.sideEffects.answers(this.step, status)
    const encoding = isDecoded ? undefined : answerEncoding(this.#start.method, status, headers)
    if (this.#ambient !== undefined) Object.assign(this.#ambient, { head: withoutLeftOut(withoutStandardText(head)), encoding })
    this.#takeHead(head, encoding)
  }

  #inform(head: AnswerHead): void {
    if (!this.#settled) this.#takeHead(head, undefined)
  }

  #takeHead(head: AnswerHead, encoding: string | undefined): void {
    const kept = withoutStandardText(head)
    const mark = this.#run.ticks.complete()
    const encoded = encoding === undefined ? {} : { encoding }
    this.#run.take({ kind: 'head', step: this.step, at: this.#partAt(), ...kept, ...mark, ...encoded, ...this.#connection() })
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
      const connection = this.#answered ? {} : this.#connection()
      this.#run.take({ kind: 'settled', row: { ...row, ...outlasted, ...connection } })
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

  #connection(): { readonly connection?: ConnectionState } {
    const connection = this.#start.connection?.()
    return connection === undefined ? {} : { connection }
  }

  #beforeAnswer(): void {
    if (!this.#sent) this.#start.cutBody?.()
    if (!this.#sent) this.#send(undefined)
  }

  get #boundary(): 'http' | 'model' {
    return this.#dialect === undefined ? 'http' : 'model'
  }

  get #name(): string {
    return this.#dialect ?? hostOf(this.#start.url).host
  }

  #keepAmbient(): void {
    const { input, head, body, encoding } = this.#ambient ?? {}
    if (input === undefined || head === undefined || body === undefined) return
    const output: HttpOutput = { ...head, ...ambientBody(Buffer.concat(body), encoding) }
    this.#run.ambient.keep({ boundary: this.#boundary, name: this.#name, input, output }, this.#run)
  }
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
