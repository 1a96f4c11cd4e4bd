import { isUint8Array } from 'node:util/types'
import type { Writable } from 'node:stream'

/** Notified of each write to a stream before it happens. */
export interface WriteWatcher {
  wrote(piece: Buffer): void
  ended(): void
}

/** Watches an agent's calls of a request's `write` and `end` methods. */
export function watchWrites(stream: Pick<Writable, 'write' | 'end'>, watcher: WriteWatcher): void {
  const { write, end } = stream
  const keep = ([chunk, encoding]: readonly unknown[]): void => {
    const piece = pieceOf(chunk, encoding)
    if (piece !== undefined) watcher.wrote(piece)
  }
  // Node's `end` may write its argument through this `write`.
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

/** Returns a copy of a body's piece as bytes, because the agent may reuse its memory; undefined if it is not a piece. */
export function pieceOf(chunk: unknown, encoding?: unknown): Buffer | undefined {
  if (isUint8Array(chunk)) return Buffer.from(chunk)
  return typeof chunk === 'string' ? bytesOf(chunk, encoding) : undefined
}

/** Returns a written chunk as bytes, in the writer's own memory; undefined if it is not a chunk. */
export function bytesOf(chunk: unknown, encoding: unknown): Buffer | undefined {
  if (typeof chunk === 'string') return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
  return ArrayBuffer.isView(chunk) ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : undefined
}
