import { Page } from './page.ts'

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

/** So much is kept for later. */
const mostFree = 16_777_216
