import { toHeaderPairs } from '../../http/headers.ts'
import type { HeaderPairs } from '../../trace/rows.ts'

/** What a call of grpc-js tells of its answer. Source: @grpc/grpc-js, src/call-interface.ts. */
export interface GrpcListener {
  onReceiveMetadata(metadata: GrpcMetadata): void
  onReceiveMessage(message: Uint8Array): void
  onReceiveStatus(status: GrpcStatus): void
}

/** The status that a call ends with. */
export interface GrpcStatus {
  readonly code: number
  readonly details: string
  readonly metadata: GrpcMetadata
  /** Why goldenrun refuses it; the client copies it to its error. */
  readonly cause?: Error
}

/** Codes of a status. Source: grpc.io/docs/guides/status-codes. */
export const statusCodes = { ok: 0, cancelled: 1, unknown: 2, unavailable: 14 } as const

/** Metadata: a name may have several values, and those of `-bin` are bytes. */
export interface GrpcMetadata {
  toHttp2Headers(): Readonly<Record<string, string | readonly string[]>>
  add(name: string, value: string | Buffer): void
}

/** How a message is sent. A stream is told when the next one may be. */
export interface SendContext {
  readonly callback?: (error?: Error | null) => void
}

/**
 * A call of a channel of grpc-js, below its interceptors, and above names, connections, retries and deadlines. Messages are bytes here. Source:
 * @grpc/grpc-js 1.8 to 1.14, src/resolving-call.ts.
 */
export interface GrpcCall {
  readonly method: string
  readonly channel?: { getTarget?(): string }
  /** A moment, or its milliseconds since the epoch; infinite if there is none. */
  readonly deadline?: Date | number
  readonly statusWatchers?: readonly ((status: GrpcStatus) => void)[]
  start(metadata: GrpcMetadata, listener: GrpcListener): void
  sendMessageWithContext(context: SendContext, message: Uint8Array): void
  startRead(): void
  halfClose(): void
  cancelWithStatus(code: number, details: string): void
}

/** A call of a run. Each method is told what the client does, and takes the arguments of its own; `go` does it for real. */
export interface StartedCall {
  listen(listener: GrpcListener, go: (listener: GrpcListener) => void): void
  send(go: () => void, context: SendContext, message: Uint8Array): void
  /** Nothing more is sent. */
  end(go: () => void): void
  cancel(go: () => void, code: number, details: string): void
  /** The next message may arrive. */
  read(go: () => void): void
}

/** How long a call may take. @param now Milliseconds since the epoch. */
export function limitOf({ deadline = Infinity }: GrpcCall, now: number): number | undefined {
  const limit = Number(deadline) - now
  return limit < Infinity ? Math.max(limit, 1) : undefined
}

/** The name of the step: `grpc shop.Orders/Get`. */
export function stepNameOf(method: string): string {
  return `grpc ${method.replace(/^\//, '')}`
}

/** Metadata as pairs, as a trace has them. */
export function pairsOf(metadata: GrpcMetadata): HeaderPairs {
  return toRecordedPairs(toHeaderPairs(metadata.toHttp2Headers()))
}

/** Headers as a trace has them: without credentials. Bytes are characters (latin1), so that redaction sees what they hold. */
export function toRecordedPairs(headers: HeaderPairs): HeaderPairs {
  return headers
    .filter(([name]) => !isCredential(name))
    .map(([name, value]) => [name, isBinary(name) ? transcode(value, 'base64', 'latin1') : value])
}

/** The same as headers. */
export function fromRecordedPairs(pairs: HeaderPairs): HeaderPairs {
  return pairs.map(([name, value]) => [name, isBinary(name) ? transcode(value, 'latin1', 'base64') : value])
}

/** @param like Metadata of the class that the client has. */
export function metadataOf(pairs: HeaderPairs, like: GrpcMetadata): GrpcMetadata {
  const { constructor: Metadata } = like as unknown as { readonly constructor: new () => GrpcMetadata }
  const metadata = new Metadata()
  for (const [name, value] of pairs) metadata.add(name, isBinary(name) ? Buffer.from(value, 'latin1') : value)
  return metadata
}

function isCredential(name: string): boolean {
  return /cookie|authorization|token|secret|password|credential|api-?key|session/.test(name)
}

function isBinary(name: string): boolean {
  return name.endsWith('-bin')
}

function transcode(text: string, from: BufferEncoding, to: BufferEncoding): string {
  return Buffer.from(text, from).toString(to)
}

/** The address of a channel's target: `dns:///orders.internal:443` is `orders.internal:443`. */
export function addressOf({ channel }: GrpcCall): string {
  return (channel?.getTarget?.() ?? '').replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/]*\/)?(?!\d+$)/i, '')
}
