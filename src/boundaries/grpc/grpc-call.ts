import { toHeaderPairs } from '../../http/headers.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'

/** Receives the answer to a grpc-js call. Source: @grpc/grpc-js, src/call-interface.ts. */
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
  /** Why goldenrun refuses the call; the client copies it to its error. */
  readonly cause?: Error
}

/** Status codes. Source: grpc.io/docs/guides/status-codes. */
export const statusCodes = { ok: 0, cancelled: 1, unknown: 2, unavailable: 14 } as const

/** Metadata: a name may have several values, and values of `-bin` names are bytes. */
export interface GrpcMetadata {
  toHttp2Headers(): Readonly<Record<string, string | readonly string[]>>
  add(name: string, value: string | Buffer): void
}

/** How a message is sent. The callback tells a stream that it may send the next one. */
export interface SendContext {
  readonly callback?: (error?: Error | null) => void
}

/**
 * A call of a grpc-js channel, below its interceptors, and above names, connections, retries and deadlines. Messages are bytes here. Source:
 * @grpc/grpc-js 1.8 to 1.14, src/resolving-call.ts.
 */
export interface GrpcCall {
  readonly method: string
  readonly channel?: { getTarget?(): string }
  /** A date or its milliseconds since the epoch; infinite if there is no deadline. */
  readonly deadline?: Date | number
  readonly statusWatchers?: readonly ((status: GrpcStatus) => void)[]
  start(metadata: GrpcMetadata, listener: GrpcListener): void
  sendMessageWithContext(context: SendContext, message: Uint8Array): void
  startRead(): void
  halfClose(): void
  cancelWithStatus(code: number, details: string): void
}

/** A call of a run. Each method receives what the client does, and the arguments of the client's own method; `go` does it for real. */
export interface StartedCall {
  listen(listener: GrpcListener, go: (listener: GrpcListener) => void): void
  send(go: () => void, context: SendContext, message: Uint8Array): void
  /** The client sends nothing more. */
  end(go: () => void): void
  cancel(go: () => void, code: number, details: string): void
  /** The next message may arrive. */
  read(go: () => void): void
}

/** Returns the time limit of a call. @param now Milliseconds since the epoch. */
export function limitOf({ deadline = Infinity }: GrpcCall, now: number): number | undefined {
  const limit = Number(deadline) - now
  return limit < Infinity ? Math.max(limit, 1) : undefined
}

/** Returns the name of the step: `grpc shop.Orders/Get`. */
export function stepNameOf(method: string): string {
  return `grpc ${method.replace(/^\//, '')}`
}

/** Returns metadata as the pairs that a trace has. */
export function pairsOf(metadata: GrpcMetadata): HeaderPairs {
  return toRecordedPairs(toHeaderPairs(metadata.toHttp2Headers()))
}

/** Returns headers as a trace has them. Bytes become characters (latin1), so that redaction sees their content. */
export function toRecordedPairs(headers: HeaderPairs): HeaderPairs {
  return headers.map(([name, value]) => [name, isBinary(name) ? transcode(value, 'base64', 'latin1') : value])
}

/** Converts recorded pairs back to headers. */
export function fromRecordedPairs(pairs: HeaderPairs): HeaderPairs {
  return pairs.map(([name, value]) => [name, isBinary(name) ? transcode(value, 'latin1', 'base64') : value])
}

/** @param like Metadata of the client's class. */
export function metadataOf(pairs: HeaderPairs, like: GrpcMetadata): GrpcMetadata {
  const { constructor: Metadata } = like as unknown as { readonly constructor: new () => GrpcMetadata }
  const metadata = new Metadata()
  for (const [name, value] of pairs) metadata.add(name, isBinary(name) ? Buffer.from(value, 'latin1') : value)
  return metadata
}

function isBinary(name: string): boolean {
  return name.endsWith('-bin')
}

function transcode(text: string, from: BufferEncoding, to: BufferEncoding): string {
  return Buffer.from(text, from).toString(to)
}

/** Returns the address of a channel's target: `dns:///orders.internal:443` is `orders.internal:443`. */
export function addressOf({ channel }: GrpcCall): string {
  return (channel?.getTarget?.() ?? '').replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/]*\/)?(?!\d+$)/i, '')
}
