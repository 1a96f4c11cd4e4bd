import { Transform, type TransformCallback } from 'node:stream'
import type { ZlibOptions } from 'node:zlib'
import { builtins } from '../builtins.ts'

/**
 * Whether a body in `deflate` has a zlib header, as RFC 9110 has it, or none, as some servers send it. Node's fetch goes by the first byte too.
 * Source: RFC 1950, section 2.2, the low four bits of the first byte are the compression method, 8.
 */
export function hasZlibHeader(first: number): boolean {
  return (first & 0x0f) === 8
}

/** Decodes `deflate`, with a zlib header or without. */
export class Inflate extends Transform {
  readonly #options: ZlibOptions
  #inner: Transform | undefined

  constructor(options: ZlibOptions) {
    super()
    this.#options = options
  }

  override _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
    this.#inner ??= this.#start(chunk[0] ?? 0)
    this.#inner.write(chunk, encoding, callback)
  }

  override _flush(callback: TransformCallback): void {
    if (this.#inner === undefined) return callback()
    this.#inner.once('end', callback)
    this.#inner.end()
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#inner?.destroy()
    callback(error)
  }

  #start(first: number): Transform {
    const inner = hasZlibHeader(first) ? builtins.zlib.createInflate(this.#options) : builtins.zlib.createInflateRaw(this.#options)
    inner.on('data', (bytes: Buffer) => this.push(bytes))
    inner.on('error', (error) => this.destroy(error))
    return inner
  }
}
