import { soon } from '../../node/microtask.ts'

/**
 * The body of an answer that arrives piece by piece, as in Node's fetch: a reader gets everything that has arrived as one chunk. Bytes that
 * arrived at once or while the reader was busy are delivered together.
 */
export class ArrivingBody {
  readonly stream: ReadableStream<Uint8Array>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #arrived: Uint8Array[] = []
  #isAwaited = false
  #isComplete = false
  #isOver = false

  /** @param onCancel Called when the reader cancels. */
  constructor(onCancel: () => void) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => {
          this.#isAwaited = true
          this.#handOut()
        },
        cancel: () => {
          this.#isOver = true
          onCancel()
        },
      },
      { highWaterMark: 0 },
    )
  }

  add(bytes: Uint8Array): void {
    // Bytes that arrive together are delivered together, and only if a reader waits.
    if (this.#arrived.push(bytes) === 1 && this.#isAwaited) soon(this.#handOut)
  }

  close(): void {
    this.#isComplete = true
    if (this.#arrived.length === 0) this.#handOut()
  }

  fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#controller.error(error)
  }

  readonly #handOut = (): void => {
    if (this.#isOver) return
    if (this.#arrived.length > 0) {
      if (!this.#isAwaited) return
      this.#isAwaited = false
      const arrived = this.#arrived
      this.#arrived = []
      this.#controller.enqueue(arrived.length === 1 && arrived[0] !== undefined ? arrived[0] : Buffer.concat(arrived))
    }
    if (!this.#isComplete) return
    this.#isOver = true
    this.#controller.close()
  }
}
