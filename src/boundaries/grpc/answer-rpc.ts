import type { AnsweredScope } from '../../run/scope.ts'
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import { headerValue } from '../../http/headers.ts'
import type { EndedProcess, EndedRpc, ProcessSink } from '../../run/processes.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { agentDoesFor } from '../agent-step.ts'
import { emitIn } from '../http/client-request-events.ts'
import { StreamDouble, type StreamWatcher } from '../http2/stream-double.ts'
import type { StreamRequest } from '../http2/stream-request.ts'
import { fromRecordedPairs, statusCodes } from './grpc-call.ts'
import { encodeFrame } from './message-frames.ts'
import type { ReadMessage } from './read-message.ts'
import { requestMetadata, writeStatus, rpcName, unsent } from './rpc-headers.ts'
import { SentFrames } from './sent-frames.ts'
import { writeMessage } from './write-message.ts'

/** Answers a gRPC call over HTTP/2 from the trace. The session, which may be real, sends nothing. */
export function answerRpc(scope: AnsweredScope, session: ClientHttp2Session, request: StreamRequest): ClientHttp2Stream {
  const call = new AnsweredRpc(scope, session, request)
  emitIn(call.stream, scope)
  return call.stream as unknown as ClientHttp2Stream
}

class AnsweredRpc implements ProcessSink, StreamWatcher {
  readonly stream: StreamDouble
  readonly #opener: AnsweredScope
  readonly #name: string
  readonly #metadata: HeaderPairs
  readonly #sent: SentFrames
  #stopsWaiting: (() => void) | undefined
  #hasHead = false
  #isUnsent = false

  constructor(opener: AnsweredScope, session: ClientHttp2Session, request: StreamRequest) {
    const { url, headers } = request
    this.#opener = opener
    this.#name = rpcName(url)
    this.#metadata = requestMetadata(headers)
    this.#sent = new SentFrames(
      headerValue(headers, 'grpc-encoding'),
      (message) => this.#opens(message),
      (what, input) => this.#does(what, input),
    )
    this.stream = new StreamDouble(session, request, false, this)
    this.#stopsWaiting = opener.run.writes(() => this.#sent.open())
  }

  wrote(bytes: Buffer): void {
    this.#sent.add(bytes)
  }

  ended(): void {
    this.#sent.ends()
  }

  stopped(): void {
    this.#isUnsent ||= !this.#sent.isOpen
    this.#sent.open()
    this.#does('cancel', [])
  }

  output(stream: string | undefined, bytes: Uint8Array): void {
    if (stream === 'body') return this.#push(bytes)
    const value: unknown = JSON.parse(Buffer.from(bytes).toString())
    if (stream === 'metadata') this.#responds(fromRecordedPairs(value as HeaderPairs))
    else this.#says(value)
  }

  close(ended: EndedProcess | EndedRpc): void {
    if (this.stream.destroyed) return
    // An ending without a gRPC status is an answer of an intermediary between the client and the server.
    const status = ended.code === null ? [] : writeStatus(ended as EndedRpc)
    if (this.#hasHead) return this.stream.responsesEnd(status)
    // The headers carry the call's status.
    this.#responds(status)
    this.stream.responsesEnd([])
  }

  fail(error: unknown): void {
    this.stream.fails(error)
  }

  /** @param value The messages, or the single message of a call that has one, in the form in which they are read: `{ "1": "ord_1" }`. */
  answer(value: unknown): void {
    this.#responds([['content-type', 'application/grpc']])
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) this.#says(message)
    this.close({ code: statusCodes.ok })
  }

  #opens(message: ReadMessage | undefined): void {
    this.#stopsWaiting?.()
    const { run, owner } = this.#opener
    // The server may have sent something before the first message; that message is then one of a stream.
    const isOther = message === undefined || !this.#isRecorded({ message })
    const isWithout = isOther && this.#isRecorded({ message: undefined, unsent: undefined })
    const isLater = isWithout && message !== undefined
    // The recorded call was abandoned before its first message was sent, so the message is unknown.
    this.#isUnsent ||= isOther && !isWithout && this.#isRecorded(unsent)
    const input = this.#isUnsent ? unsent : message === undefined || isLater ? {} : { message }
    run.answerProcess({ owner, name: this.#name, input, metadata: this.#metadata }, this)
    if (isLater) {
      this.#sent.streams()
      this.#does('send', message)
    }
  }

  #isRecorded(fields: Readonly<Record<string, unknown>>): boolean {
    return this.#opener.run.recorded.find(this.#name, fields, 'untaken') !== undefined
  }

  #responds(pairs: HeaderPairs): void {
    if (this.stream.destroyed) return
    this.#hasHead = true
    const status = Number(headerValue(pairs, ':status') ?? 200)
    this.stream.responds(
      status,
      pairs.filter(([name]) => name !== ':status'),
    )
  }

  #says(message: unknown): void {
    this.#sent.streams()
    const { $compressed } = message as { readonly $compressed?: string }
    const content = $compressed === undefined ? Buffer.from(writeMessage(message)) : Buffer.from($compressed, 'latin1')
    this.#push(encodeFrame({ isCompressed: $compressed !== undefined, content }))
  }

  #push(bytes: Uint8Array): void {
    if (!this.stream.destroyed) this.stream.push(Buffer.from(bytes))
  }

  #does(what: string, input: unknown): void {
    if (!this.#isUnsent || what === 'cancel') agentDoesFor(this.#opener, `${this.#name} ${what}`, input)
  }
}
