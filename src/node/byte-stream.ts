/** What a source of bytes does. */
interface ByteSource {
  readonly start?: (controller: ReadableByteStreamController) => void
  readonly pull?: (controller: ReadableByteStreamController) => void | Promise<void>
  readonly cancel?: (reason: unknown) => void | Promise<void>
}

/**
 * Creates a stream like the body of a fetch: a reader may read into its own memory (`getReader({ mode: 'byob' })`).
 *
 * @note What is enqueued is transferred: a piece whose memory somebody else uses has to be copied first.
 */
export function createByteStream(source: ByteSource): ReadableStream<Uint8Array> {
  return new ReadableStream({ ...source, type: 'bytes' }, { highWaterMark: 0 })
}

/** Ends a stream of bytes, for a reader that waits with its own memory as well. */
export function closeByteStream(controller: ReadableByteStreamController): void {
  controller.close()
  // Source: Streams standard, a pending read into the reader's memory gets it back only by this.
  controller.byobRequest?.respond(0)
}

/** Returns whether a stream that nobody reads yet is one of bytes. */
export function isByteStream(stream: ReadableStream): boolean {
  try {
    stream.getReader({ mode: 'byob' }).releaseLock()
    return true
  } catch {
    // Source: Streams standard, only streams of bytes have such a reader.
    return false
  }
}
