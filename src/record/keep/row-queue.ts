import type { Row } from '../../trace/rows.ts'

/** Hands rows on in the order of their places, though a row may be made after its place was taken. */
export class RowQueue {
  readonly #write: (row: Row) => void
  #places: Place[] = []

  constructor(write: (row: Row) => void) {
    this.#write = write
  }

  push(row: Row): void {
    if (this.#places.length === 0) this.#write(row)
    else this.#places.push({ row })
  }

  /** Takes a place now; what is pushed later waits until it is filled. */
  reserve(): (row: Row) => void {
    const place: Place = {}
    this.#places.push(place)
    return (row) => {
      if (place.row !== undefined) return
      place.row = row
      this.#flush()
    }
  }

  /** Gives up on places that were never filled, and hands on the rest. */
  close(): void {
    this.#places = this.#places.filter((place) => place.row !== undefined)
    this.#flush()
  }

  #flush(): void {
    while (this.#places[0]?.row !== undefined) {
      const place = this.#places.shift()
      if (place?.row !== undefined) this.#write(place.row)
    }
  }
}

interface Place {
  row?: Row
}
