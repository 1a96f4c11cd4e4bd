/**
 * A piece of memory that one thread writes and another reads: how far either has come stands at its beginning. Neither has to be told: each looks
 * when it wants to know.
 */
export class Page {
  readonly memory: SharedArrayBuffer
  /** What is written, and room for more. */
  readonly bytes: Buffer
  /** The same. */
  readonly numbers: DataView
  readonly #progress: Int32Array

  /** @param memory At least 16 bytes, zero at first. */
  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.bytes = Buffer.from(memory, HEAD)
    this.numbers = new DataView(memory, HEAD)
    this.#progress = new Int32Array(memory, 0, HEAD / 4)
  }

  /** New memory for a page of at least so many bytes. */
  static create(bytes: number): Page {
    return new Page(new SharedArrayBuffer(Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(bytes + HEAD)))))
  }

  /** How many bytes are written, and stay as they are. */
  get written(): number {
    return Atomics.load(this.#progress, WRITTEN)
  }

  set written(length: number) {
    Atomics.store(this.#progress, WRITTEN, length)
  }

  /** How many bytes the reader is done with. */
  get read(): number {
    return Atomics.load(this.#progress, READ)
  }

  set read(length: number) {
    Atomics.store(this.#progress, READ, length)
    Atomics.notify(this.#progress, READ)
  }

  /** Whether nothing more is written to it: what follows is on the next page. */
  get isFull(): boolean {
    return Atomics.load(this.#progress, STATE) === IS_FULL
  }

  /** Nothing more is written to it. */
  fill(): void {
    Atomics.store(this.#progress, STATE, IS_FULL)
  }

  /** Whether the reader has left it, which it does only once it is full. */
  get isLeft(): boolean {
    return Atomics.load(this.#progress, STATE) === IS_LEFT
  }

  /** The reader does not look at it any more. */
  leave(): void {
    Atomics.store(this.#progress, STATE, IS_LEFT)
  }

  /** Blocks until more is read than so many bytes, for so many milliseconds at most. */
  waitForReader(read: number, milliseconds: number): void {
    Atomics.wait(this.#progress, READ, read, milliseconds)
  }

  /** A page that was left begins anew. */
  clear(): void {
    this.#progress.fill(0)
  }
}

/** Pages that are used again: a new one costs more than what is mostly written to it, since the operating system gives its memory bit by bit. */
export class PagePool {
  /** Those that nobody uses, the smallest first. */
  readonly #free: Page[] = []
  #freeBytes = 0

  /** A page with room for at least so many bytes. */
  take(bytes: number): Page {
    const index = this.#free.findIndex((page) => page.bytes.length >= bytes)
    const [page] = index === -1 ? [] : this.#free.splice(index, 1)
    if (page === undefined) return Page.create(bytes)
    this.#freeBytes -= page.memory.byteLength
    page.clear()
    return page
  }

  /** Nobody uses a page any more. */
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
/** So much is kept for later. */
const mostFree = 16_777_216
