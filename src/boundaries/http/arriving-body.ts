import { realTimers } from '../timer/real-timers.ts'

/**
 * The body of an answer that arrives piece by piece, as Node's fetch hands it out: a reader gets all that has arrived when it reads, as one
 * chunk. What arrived at once, and what arrived while the reader was busy, comes together.
 */
export class ArrivingBody {
  readonly stream: ReadableStream<Uint8Array>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #arrived: Uint8Array[] = []
  #isAwaited = false
  #isComplete = false
  #isOver = false

  /** @param onCancel Called when the reader wants no more. */
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
    this.#arrived.push(bytes)
    realTimers.queueMicrotask(() => this.#handOut())
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

  #handOut(): void {
    if (this.#isOver) return
    if (this.#arrived.length > 0) {
      if (!this.#isAwaited) return
      this.#isAwaited = false
      const [first = new Uint8Array(0), ...others] = this.#arrived.splice(0)
      this.#controller.enqueue(others.length === 0 ? first : Buffer.concat([first, ...others]))
    }
    if (!this.#isComplete) return
    this.#isOver = true
    this.#controller.close()
  }
}
