import { isUint8Array } from 'node:util/types'
import type { Writable } from 'node:stream'

/** Told of what is written to a stream, before it is. */
export interface WriteWatcher {
  wrote(piece: Buffer): void
  ended(): void
}

/** Watches what an agent writes to a request by its methods `write` and `end`. */
export function watchWrites(stream: Pick<Writable, 'write' | 'end'>, watcher: WriteWatcher): void {
  const { write, end } = stream
  const keep = ([chunk, encoding]: readonly unknown[]): void => {
    const piece = pieceOf(chunk, encoding)
    if (piece !== undefined) watcher.wrote(piece)
  }
  // Node's `end` may write its argument by this `write`.
  let hasEnded = false
  stream.write = (...args: unknown[]) => {
    if (!hasEnded) keep(args)
    return Reflect.apply(write, stream, args) as boolean
  }
  stream.end = (...args: unknown[]) => {
    if (!hasEnded) {
      keep(args)
      hasEnded = true
      watcher.ended()
    }
    return Reflect.apply(end, stream, args) as never
  }
}

/** A piece of a body as bytes, a copy: the agent may reuse its memory. Undefined for what is none. */
export function pieceOf(chunk: unknown, encoding?: unknown): Buffer | undefined {
  if (isUint8Array(chunk)) return Buffer.from(chunk)
  return typeof chunk === 'string' ? bytesOf(chunk, encoding) : undefined
}

/** What is written to a stream as bytes, in the memory of whoever writes it. Undefined for what is none. */
export function bytesOf(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (typeof chunk === 'string') return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
  return ArrayBuffer.isView(chunk) ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : undefined
}
