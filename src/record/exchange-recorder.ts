import { answerEncoding } from '../boundaries/http/codings.ts'
import { decodedBody } from '../boundaries/http/decode-body.ts'
import { hostOf } from '../boundaries/http/host-of.ts'
import { headerValue, meaningfulHeaders } from '../boundaries/http/headers.ts'
import type { CapturedExchange, ExchangeStart } from '../run/active-run.ts'
import { bodyFromBytes } from '../trace/body.ts'
import type { CallRow, ChunkRow, HeaderPairs, HeadRow, HttpBody, HttpInput, HttpOutput, Row } from '../trace/rows.ts'
import { AnswerDecoding } from './answer-decoding.ts'
import { allowedAnswerHeaders } from './redaction/answer-header-allowlist.ts'
import type { BodyRedaction } from './redaction/growing-redaction.ts'
import { redactionOf } from './redaction/redaction-of.ts'
import type { RowRecorder } from './row-recorder.ts'

/** Writes the rows of one HTTP exchange. */
export class ExchangeRecorder implements CapturedExchange {
  readonly step: number
  readonly #run: RowRecorder
  readonly #onSettled: () => void
  readonly #start: ExchangeStart
  readonly #dialect: string | undefined
  readonly #fill: (row: Row) => void
  readonly #at: number
  readonly #isAmbient: boolean
  #call: CallRow | undefined
  #settled = false
  #head: Pick<HeadRow, 'status' | 'headers' | 'url'> | undefined
  /** The answer's body, where it is kept once it is whole: of ambient calls. */
  #body: Uint8Array[] = []
  #redaction: BodyRedaction | undefined
  /** As it was, for a call that other runs are answered from. */
  #input: HttpInput | undefined
  /** Set where the agent reads an encoded answer as it came. */
  #decoding: AnswerDecoding | undefined

  /**
   * @param dialect The name of the dialect, of a model call.
   * @param onSettled Told when no more rows will follow.
   */
  constructor(run: RowRecorder, step: number, start: ExchangeStart, dialect: string | undefined, onSettled: () => void) {
    this.#run = run
    this.#onSettled = onSettled
    this.step = step
    this.#start = start
    this.#dialect = dialect
    this.#at = run.at()
    this.#isAmbient = run.isAmbient(this.#name)
    this.#fill = run.reserve()
  }

  requestBody(body: Uint8Array | string | undefined, headers?: HeaderPairs): void {
    if (this.#call !== undefined) return
    const sent = headers ?? (typeof this.#start.headers === 'function' ? this.#start.headers() : this.#start.headers)
    const { method, url, owner } = this.#start
    const plain = decodedBody(body, headerValue(sent, 'content-encoding'))
    const kept = plain === undefined ? {} : bodyFromBytes(typeof plain === 'string' ? new TextEncoder().encode(plain) : plain)
    const input: HttpInput = {
      method,
      url: this.#run.redactor.text(url),
      headers: this.#redactHeaders(meaningfulHeaders(sent, this.#run.compareHeaders)),
      ...this.#keepBody(kept),
    }
    if (this.#isAmbient) this.#input = { method, url, headers: meaningfulHeaders(sent, this.#run.compareHeaders), ...kept }
    const attempt = retryCount(sent)
    const row: CallRow = {
      kind: 'call',
      step: this.step,
      owner,
      boundary: this.#dialect === undefined ? 'http' : 'model',
      name: this.#name,
      ...(attempt > 1 ? { attempt } : {}),
      input,
      at: this.#at,
    }
    this.#call = row
    this.#fill(row)
  }

  head(status: number, headers: HeaderPairs, url?: string): void {
    if (this.#settled) return
    this.#beforeAnswer()
    const encoding = answerEncoding(this.#start.method, status, headers)
    if (encoding !== undefined) this.#decoding = new AnswerDecoding(encoding)
    this.#head = { status, headers: this.#keepHeaders(headers), ...(url === undefined ? {} : { url: this.#run.redactor.text(url) }) }
    const mark = this.#run.completion()
    this.#run.push({ kind: 'head', step: this.step, at: this.#run.at(), ...this.#head, ...mark })
  }

  data(bytes: Uint8Array): void {
    if (this.#settled || bytes.length === 0) return
    const row = { kind: 'chunk', step: this.step, at: this.#run.at(), ...this.#run.completion() } as const
    const fill = this.#run.reserve()
    const keep = (plain: Uint8Array, isEncoded: boolean): void => this.#keepPiece(row, plain, isEncoded, fill)
    if (this.#decoding === undefined) keep(bytes, false)
    else this.#decoding.add(bytes.slice(), keep)
  }

  end(trailers: HeaderPairs = []): void {
    if (this.#settle()) return
    const output = trailers.length === 0 ? {} : { output: { trailers: this.#keepHeaders(trailers) } }
    const mark = this.#run.completion()
    this.#run.push({ kind: 'return', step: this.step, at: this.#run.at(), ...output, ...mark })
    this.#finish(() => this.#keepAmbient())
  }

  fail(error: unknown): void {
    if (this.#settle()) return
    const mark = this.#run.completion()
    this.#run.push({
      kind: 'throw',
      step: this.step,
      at: this.#run.at(),
      error: this.#run.keepError(error, `step ${this.step} error`),
      ...mark,
    })
    this.#finish()
  }

  stop(reason: unknown): void {
    if (this.#settle()) return
    const outcome =
      this.#head === undefined
        ? ({
            kind: 'throw',
            error: this.#run.keepError(reason ?? new DOMException('This operation was aborted', 'AbortError'), `step ${this.step} error`),
          } as const)
        : ({ kind: 'return' } as const)
    this.#run.push({ ...outcome, step: this.step, at: this.#run.at(), by: 'agent' })
    this.#finish()
  }

  /** Whether it had settled already. A body that nobody finished writing is settled with what there is. */
  #settle(): boolean {
    if (this.#settled) return true
    this.#beforeAnswer()
    this.#settled = true
    return false
  }

  /** Does what has to be done once the whole answer is known, decoded. */
  #finish(then: () => void = () => undefined): void {
    const done = (): void => {
      this.#redaction?.end()
      then()
      this.#onSettled()
    }
    if (this.#decoding === undefined) done()
    else this.#decoding.end(done)
  }

  /** Writes the pieces that wait for more of the answer as they are. */
  flush(): void {
    this.#decoding?.flush()
    this.#redaction?.end()
  }

  #keepPiece(row: ChunkRow, plain: Uint8Array, isEncoded: boolean, fill: (row: Row) => void): void {
    if (isEncoded) {
      this.#redaction?.end()
      return fill({ ...row, bytes: plain, encoded: true })
    }
    if (this.#isAmbient) this.#body.push(plain.slice())
    const text = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength).toString('latin1')
    this.#redaction ??= redactionOf(this.#run.redactor, headerValue(this.#head?.headers ?? [], 'content-type'))
    this.#redaction.add(text, (piece) => fill({ ...row, ...bodyOfPiece(piece) }))
  }

  #beforeAnswer(): void {
    if (this.#call === undefined) this.requestBody(undefined)
  }

  get #name(): string {
    return this.#dialect ?? hostOf(this.#start.url).host
  }

  #keepHeaders(headers: HeaderPairs): HeaderPairs {
    return this.#redactHeaders(allowedAnswerHeaders(headers))
  }

  #redactHeaders(headers: HeaderPairs): HeaderPairs {
    return headers.map(([name, value]) => [name, this.#run.redactor.text(value)])
  }

  #keepBody(body: HttpBody): HttpBody {
    const { json, text, bytes } = body
    const { redactor } = this.#run
    if (json !== undefined) return { json: redactor.value(json) }
    if (text !== undefined) return { text: redactor.text(text) }
    return bytes === undefined ? {} : { bytes: redactor.bytes(bytes) }
  }

  #keepAmbient(): void {
    if (!this.#isAmbient || this.#call === undefined || this.#head === undefined) return
    const { boundary, name } = this.#call
    const output: HttpOutput = { ...this.#head, ...bodyFromBytes(Buffer.concat(this.#body)) }
    this.#run.keepAmbient({ boundary, name, input: this.#input, output })
  }
}

/** A piece of an answer as a chunk keeps it; nothing may be left of one where a stand-in is shorter than the secret, and one of an encoded body may add nothing. */
function bodyOfPiece(piece: string): HttpBody {
  return piece === '' ? { text: '' } : bodyFromBytes(Buffer.from(piece, 'latin1'), 'text/event-stream')
}

/** Which attempt a request says it is: OpenAI's and Anthropic's SDKs count their retries in a header. */
function retryCount(headers: HeaderPairs): number {
  const value = Number(headers.find(([name]) => name === 'x-stainless-retry-count')?.[1])
  return Number.isInteger(value) && value >= 0 ? value + 1 : 1
}
