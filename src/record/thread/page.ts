/**
 * A piece of memory that one thread writes and another reads. Both positions are stored at its beginning. Neither thread notifies the other: each
 * looks when it wants to know.
 */
export class Page {
  readonly memory: SharedArrayBuffer
  /** The written data, and the room for more. */
  readonly bytes: Buffer
  /** The same memory. */
  readonly numbers: DataView
  readonly #progress: Int32Array

  /** @param memory At least 16 bytes, initially zero. */
  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.bytes = Buffer.from(memory, HEAD)
    this.numbers = new DataView(memory, HEAD)
    this.#progress = new Int32Array(memory, 0, HEAD / 4)
  }

  /** Creates a page with room for at least `bytes`. */
  static create(bytes: number): Page {
    return new Page(new SharedArrayBuffer(Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(bytes + HEAD)))))
  }

  /** The number of bytes that are written and no longer change. */
  get written(): number {
    return Atomics.load(this.#progress, WRITTEN)
  }

  set written(length: number) {
    Atomics.store(this.#progress, WRITTEN, length)
  }

  /** The number of bytes that the reader has finished with. */
  get read(): number {
    return Atomics.load(this.#progress, READ)
  }

  set read(length: number) {
    Atomics.store(this.#progress, READ, length)
    Atomics.notify(this.#progress, READ)
  }

  /** Whether the page is closed for writing: the next message is on the next page. */
  get isFull(): boolean {
    return Atomics.load(this.#progress, STATE) === IS_FULL
  }

  /** Closes the page for writing. */
  fill(): void {
    Atomics.store(this.#progress, STATE, IS_FULL)
  }

  /** Whether the reader has left the page, which it does only once the page is full. */
  get isLeft(): boolean {
    return Atomics.load(this.#progress, STATE) === IS_LEFT
  }

  /** Called when the reader has finished with the page. */
  leave(): void {
    Atomics.store(this.#progress, STATE, IS_LEFT)
  }

  /** Blocks until more than `read` bytes are read, for `milliseconds` at most. */
  waitForReader(read: number, milliseconds: number): void {
    Atomics.wait(this.#progress, READ, read, milliseconds)
  }

  /** Resets a page that the reader has left. */
  clear(): void {
    this.#progress.fill(0)
  }
}

/** Pages that are reused: a new page costs more than the data usually written to it, because the operating system provides its memory bit by bit. */
export class PagePool {
  /** The unused pages, smallest first. */
  readonly #free: Page[] = []
  #freeBytes = 0

  /** Returns a page with room for at least `bytes`. */
  take(bytes: number): Page {
    const index = this.#free.findIndex((page) => page.bytes.length >= bytes)
    const [page] = index === -1 ? [] : this.#free.splice(index, 1)
    if (page === undefined) return Page.create(bytes)
    this.#freeBytes -= page.memory.byteLength
    page.clear()
    return page
  }

  /** Returns an unused page to the pool. */
  giveBack(page: Page): void {
    if (this.#freeBytes + page.memory.byteLength > mostFree) return
    this.#freeBytes += page.memory.byteLength
    const index = this.#free.findIndex(({ bytes }) => bytes.length >= page.bytes.length)
    this.#free.splice(index === -1 ? this.#free.length : index, 0, page)
  }
}

const HEAD = 16
const WRITTEN = 0
const READ = 1
const STATE = 2
const IS_FULL = 1
const IS_LEFT = 2
const SMALLEST = 1_048_576
/** How many bytes of pages are kept for reuse. */
const mostFree = 16_777_216
