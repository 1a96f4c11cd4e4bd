import type { ClientHttp2Session } from 'node:http2'
import nodeStream from 'node:stream'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { AnswerHead } from '../../http/answer-head.ts'
import { watchRecord } from '../../http/left-out-reads.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { WriteWatcher } from '../http/body-pieces.ts'
import { cancelled } from './follow-answer.ts'
import type { StreamRequest } from './stream-request.ts'

/** Notified of what an agent does with a stream. */
export interface StreamWatcher extends WriteWatcher {
  /** The agent no longer wants the answer. */
  stopped(): void
}

/** Codes of HTTP/2. Source: RFC 9113, section 7. */
const codes = { none: 0, internal: 2, cancel: 8 } as const

let doubles = 0

/**
 * A client's HTTP/2 stream that is answered without a session: data reaches the agent in the turn in which it arrives. It has the members of
 * Node's class that clients use. Source: https://nodejs.org/api/http2.html#class-clienthttp2stream.
 */
export class StreamDouble extends nodeStream.Duplex {
  readonly session: ClientHttp2Session
  readonly sentHeaders: Readonly<Record<string, unknown>>
  readonly id: number
  readonly pending = false
  readonly bufferSize = 0
  rstCode: number = codes.none
  aborted = false
  endAfterHeaders = false
  readonly #watcher: StreamWatcher
  #isClosed = false
  #isOver = false

  constructor(session: ClientHttp2Session, { sent }: StreamRequest, isBodiless: boolean, watcher: StreamWatcher) {
    super()
    doubles += 1
    this.id = doubles * 2 + 1
    this.session = session
    this.sentHeaders = headersOf(sent)
    this.#watcher = watcher
    // The `closed` of Node's streams says only whether `close` has been emitted.
    Object.defineProperty(this, 'closed', { get: () => this.#isClosed || this.destroyed })
    if (isBodiless) this.end()
    process.nextTick(() => this.emit('ready'))
  }

  override _read(): void {
    // Data is pushed as it arrives.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.#watcher.wrote(chunk)
    callback()
  }

  override _final(callback: () => void): void {
    this.#watcher.ended()
    callback()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stops()
    if (error !== null && this.rstCode === codes.none) this.rstCode = codes.internal
    callback(error)
  }

  /** The agent closes the stream. */
  close(code: number = codes.none, callback?: () => void): void {
    if (callback !== undefined) this.once('close', callback)
    if (this.#isClosed || this.destroyed) return
    this.#isClosed = true
    this.rstCode = code
    this.#stops()
    const isError = code !== codes.none && code !== codes.cancel
    const error = isError
      ? Object.assign(new Error(`Stream closed with error code ${code}`), { code: 'ERR_HTTP2_STREAM_ERROR' })
      : undefined
    this.#endsLater(error)
  }

  /** Never fires. Node's own timer belongs to no run: where it fired, the agent closed the stream, and the trace has that. */
  setTimeout(_milliseconds: number, callback?: () => void): this {
    if (callback !== undefined) this.once('timeout', callback)
    return this
  }

  priority(): void {
    // Deprecated, and nothing depends on it.
  }

  /** @param head Names the headers that were left out. */
  responds(status: number, pairs: HeaderPairs, head: Pick<AnswerHead, 'leftOut' | 'onLeftOut'> = {}): void {
    const all: HeaderPairs = [[':status', String(status)], ...pairs]
    const headers = headersOf(all)
    watchRecord(headers, head)
    this.emit('response', headers, 0, all.flat())
  }

  /** An informational response arrives. */
  informs(status: number, pairs: HeaderPairs): void {
    if (this.destroyed) return
    const all: HeaderPairs = [[':status', String(status)], ...pairs]
    if (status === 100) this.emit('continue')
    this.emit('headers', headersOf(all), 0, all.flat())
  }

  responsesEnd(trailers: HeaderPairs): void {
    this.#isOver = true
    if (trailers.length > 0) this.emit('trailers', headersOf(trailers), 0, trailers.flat())
    this.push(null)
  }

  /** Fails the stream. Node emits no error for a stream that the server has cancelled. */
  fails(error: unknown): void {
    this.#isOver = true
    const failure = error instanceof Error ? error : new Error(String(error))
    if (!('code' in failure && failure.code === cancelled)) return void this.destroy(failure)
    this.rstCode = codes.cancel
    this.aborted = true
    this.emit('aborted')
    this.#endsLater()
  }

  /** Ends the stream after readers have come to its end. */
  #endsLater(error?: Error): void {
    this.push(null)
    realTimers.setImmediate(() => this.destroy(error))
  }

  #stops(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#watcher.stopped()
  }
}

/** Returns headers as Node does: values of one name are joined into one text, except for cookies. None is marked as sensitive. */
function headersOf(pairs: HeaderPairs): Record<string | symbol, unknown> {
  const headers: Record<string | symbol, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, value] of pairs) {
    const known = headers[name]
    if (name === 'set-cookie') headers[name] = [...((known as string[] | undefined) ?? []), value]
    else if (name === ':status') headers[name] = Number(value)
    else headers[name] = known === undefined ? value : `${known as string}${name === 'cookie' ? '; ' : ', '}${value}`
  }
  headers[process.getBuiltinModule('node:http2').sensitiveHeaders] = []
  return headers
}
