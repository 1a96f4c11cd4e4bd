import type { Row } from '../../trace/rows.ts'
import { LogFrames } from '../event-log/log-frames.ts'
import type { TraceWriter } from '../trace-store.ts'
import { LONGEST_PIECE, type Outgoing, type RedisOutbox } from './redis-outbox.ts'

/** How many rows are collected before they are compressed. */
const ROWS = 256

/** Writes the log of one run to memory. It is sent when the run is flushed, when the log has become long, and when the run ends. */
export class RedisWriter implements TraceWriter {
  readonly #outbox: RedisOutbox
  readonly #outgoing: Outgoing
  readonly #frames: LogFrames = new LogFrames()
  #rows = 0

  readonly #onEnd: () => void

  /** @param onEnd Called when the writer is closed or discarded. */
  constructor(outbox: RedisOutbox, outgoing: Outgoing, onEnd: () => void) {
    this.#outbox = outbox
    this.#onEnd = onEnd
    this.#outgoing = outgoing
  }

  write(row: Row): void {
    this.#frames.add(row)
    this.#rows += 1
    if (this.#rows % ROWS !== 0) return
    this.#take()
    if (this.#outgoing.unsent.reduce((size, { length }) => size + length, 0) >= LONGEST_PIECE) this.#want('push')
  }

  flush(): void {
    this.#take()
    if (this.#outgoing.unsent.length > 0) this.#want('push')
  }

  get stored(): Promise<void> {
    return this.#outgoing.stored.promise
  }

  close(): void {
    this.#take()
    this.#frames.release()
    this.#want('finish')
    this.#onEnd()
  }

  discard(): void {
    this.#frames.drop()
    this.#frames.release()
    this.#outgoing.unsent = []
    this.#want('discard')
    this.#onEnd()
  }

  #take(): void {
    if (this.#outgoing.isLost === true) return this.#frames.drop()
    const bytes = this.#frames.take()
    if (bytes === undefined) return
    this.#outgoing.unsent.push(bytes)
    this.#outgoing.size += bytes.length
  }

  #want(wish: Outgoing['wish']): void {
    this.#outgoing.wish = wish
    this.#outbox.add(this.#outgoing)
  }
}
