/**
 * Memory that two threads see, in pieces that are used again: a new piece costs more than what is mostly written into it, since the operating system
 * gives it page by page.
 */
export class SharedMemory {
  /** Pieces that nobody uses, the smallest first. */
  readonly #free: SharedArrayBuffer[] = []
  #freeBytes = 0

  /** A piece of at least so many bytes; what stands in it means nothing. */
  take(least: number): SharedArrayBuffer {
    const index = this.#free.findIndex(({ byteLength }) => byteLength >= least)
    const [piece] = index === -1 ? [] : this.#free.splice(index, 1)
    if (piece === undefined) return new SharedArrayBuffer(Math.max(smallest, 2 ** Math.ceil(Math.log2(least))))
    this.#freeBytes -= piece.byteLength
    return piece
  }

  /** Nobody uses a piece any more. */
  giveBack(piece: SharedArrayBuffer): void {
    if (this.#freeBytes + piece.byteLength > mostFree) return
    this.#freeBytes += piece.byteLength
    const index = this.#free.findIndex(({ byteLength }) => byteLength >= piece.byteLength)
    this.#free.splice(index === -1 ? this.#free.length : index, 0, piece)
  }
}

const smallest = 2_097_152

/** So much is kept for later. */
const mostFree = 16_777_216
