import { closeByteStream, createByteStream } from '../../node/byte-stream.ts'
import { soon } from '../../node/microtask.ts'

/**
 * The body of an answer that arrives piece by piece, as in Node's fetch: a reader gets everything that has arrived as one chunk. Bytes that
 * arrived at once or while the reader was busy are delivered together.
 */
export class ArrivingBody {
  readonly stream: ReadableStream<Uint8Array>
  #controller!: ReadableByteStreamController
  #arrived: Uint8Array[] = []
  #isAwaited = false
  #isComplete = false
  #isOver = false
  #signal: AbortSignal | undefined

  /** @param onCancel Called when the reader cancels. */
  constructor(onCancel?: () => void) {
    this.stream = createByteStream({
      start: (controller) => {
        this.#controller = controller
      },
      pull: () => {
        this.#isAwaited = true
        this.#handOut()
      },
      cancel: () => {
        this.#finish()
        onCancel?.()
      },
    })
  }

  add(bytes: Uint8Array): void {
    // Bytes that arrive together are delivered together, and only if a reader waits.
    if (this.#arrived.push(bytes) === 1 && this.#isAwaited) soon(this.#handOut)
  }

  close(): void {
    this.#isComplete = true
    if (this.#arrived.length === 0) this.#handOut()
  }

  /** Fails with a signal, also where all has arrived, as long as it is not read to its end. */
  follow(signal: AbortSignal): void {
    if (this.#isOver) return
    this.#signal = signal
    if (signal.aborted) this.#onAbort()
    else signal.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = (): void => this.fail(this.#signal?.reason)

  fail(error: unknown): void {
    if (this.#isOver) return
    this.#finish()
    this.#controller.error(error)
  }

  /** Gives a reader that waits what has arrived, or the end: as in Node's fetch, a reader that has read everything has not read the end. */
  readonly #handOut = (): void => {
    if (this.#isOver || !this.#isAwaited) return
    if (this.#arrived.length > 0) {
      this.#isAwaited = false
      const arrived = this.#arrived
      this.#arrived = []
      this.#controller.enqueue(joined(arrived))
      return
    }
    if (!this.#isComplete) return
    this.#finish()
    closeByteStream(this.#controller)
  }

  #finish(): void {
    this.#isOver = true
    this.#signal?.removeEventListener('abort', this.#onAbort)
  }
}

/** Returns the pieces as one, in memory of its own: a stream of bytes transfers it. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}
