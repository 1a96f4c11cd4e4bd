import type { ClientHttp2Stream } from 'node:http2'
import type { AnswerHead } from '../../http/answer-head.ts'
import { headerValue } from '../../http/headers.ts'
import type { CapturedProcess, EndedRpc } from '../../run/processes.ts'
import { type RecordedScope, runBelow } from '../../run/scope.ts'
import { isInformational } from '../../trace/http-head.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { agentDoesFor, attemptFor } from '../agent-step.ts'
import { markTransport } from '../contact/known-sockets.ts'
import { watchWrites } from '../http/body-pieces.ts'
import { followAnswer, type StreamSink } from '../http2/follow-answer.ts'
import type { StreamRequest } from '../http2/stream-request.ts'
import { statusCodes, toRecordedPairs } from './grpc-call.ts'
import { encodeFrame, inflated, MessageFrames } from './message-frames.ts'
import { line, type ReadMessage } from './read-message.ts'
import { readStatus, requestMetadata, rpcName, unsent } from './rpc-headers.ts'
import { SentFrames, toMessage } from './sent-frames.ts'

/** Sends a gRPC call over HTTP/2, by a client other than grpc-js, and records it. */
export function recordRpc(scope: RecordedScope, request: StreamRequest, open: () => ClientHttp2Stream): ClientHttp2Stream {
  const stream = runBelow(scope, {}, open)
  markTransport(stream)
  const call = new RecordedRpc(scope, request)
  watchWrites(stream, call)
  if (stream.writableEnded) call.ended()
  followAnswer(stream, scope, call)
  return stream
}

/** @note Compressed messages are passed on decompressed. Clients decompress in other threads, and would get them later than their rows say. */
class RecordedRpc implements StreamSink {
  readonly #opener: RecordedScope
  readonly #name: string
  readonly #metadata: HeaderPairs
  readonly #sent: SentFrames
  readonly #arriving = new MessageFrames()
  readonly #heard = new MessageFrames()
  #encoding: string | undefined
  #captured: CapturedProcess | undefined
  /** The call's status, if the answer's headers have it. */
  #status: EndedRpc | undefined
  #isFollowed = true
  #isUnsent = false
  #isOver = false

  constructor(opener: RecordedScope, { url, headers }: StreamRequest) {
    this.#opener = opener
    this.#name = rpcName(url)
    this.#metadata = requestMetadata(headers)
    this.#sent = new SentFrames(
      headerValue(headers, 'grpc-encoding'),
      (message) => this.#opens(message),
      (what, input) => this.#does(what, input),
    )
  }

  wrote(piece: Buffer): void {
    this.#attempt(() => this.#sent.add(piece))
  }

  ended(): void {
    this.#attempt(() => this.#sent.ends())
  }

  sent(): void {
    this.#attempt(() => this.#sent.open())
  }

  given(bytes: Uint8Array): Uint8Array {
    if (!this.#isFollowed) return bytes
    try {
      return Buffer.concat(this.#arriving.add(bytes).map((frame) => encodeFrame(inflated(frame, this.#encoding))))
    } catch {
      // It is not a gRPC answer.
      this.#isFollowed = false
      return this.#arriving.rest
    }
  }

  rest(): Uint8Array {
    return this.#isFollowed ? this.#arriving.rest : new Uint8Array()
  }

  head({ status, headers }: AnswerHead): void {
    if (isInformational(status)) return
    this.#encoding = headerValue(headers, 'grpc-encoding')
    this.#status = readStatus(headers)
    if (this.#status !== undefined) return
    const pairs = toRecordedPairs(headers)
    this.#output('metadata', line(status === 200 ? pairs : [[':status', String(status)], ...pairs]))
  }

  data(bytes: Uint8Array): void {
    if (!this.#isFollowed) return this.#output('body', bytes)
    this.#attempt(() => {
      for (const frame of this.#heard.add(bytes)) {
        this.#sent.streams()
        this.#output('message', line(toMessage(frame)))
      }
    })
  }

  end(trailers: HeaderPairs): void {
    this.#settle((sink) => sink.close(this.#status ?? readStatus(trailers) ?? { code: null, signal: null }))
  }

  fail(error: unknown): void {
    this.#settle((sink) => sink.breaks(error))
  }

  stop(): void {
    this.#isUnsent = !this.#sent.isOpen
    this.sent()
    this.#does('cancel', [])
    this.#settle((sink) => sink.close({ code: statusCodes.cancelled }))
  }

  #opens(message: ReadMessage | undefined): void {
    const { run, owner } = this.#opener
    const input = this.#isUnsent ? unsent : message === undefined ? {} : { message }
    this.#captured = run.captureProcess({ owner, name: this.#name, input, metadata: this.#metadata })
  }

  #does(what: string, input: unknown): void {
    if (!this.#isOver) this.#attempt(() => agentDoesFor(this.#opener, `${this.#name} ${what}`, input))
  }

  #output(stream: string, bytes: Uint8Array): void {
    if (!this.#isOver) this.#attempt(() => this.#captured?.output(stream, bytes))
  }

  #settle(settle: (sink: CapturedProcess) => void): void {
    if (this.#isOver) return
    this.sent()
    this.#isOver = true
    this.#attempt(() => this.#captured && settle(this.#captured))
  }

  #attempt(record: () => void): void {
    attemptFor(this.#opener, () => this.#name, record)
  }
}
