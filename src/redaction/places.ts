/** Hands values on in the order of their places, even if a value becomes known after those that follow it. */
export class Places<Value> {
  readonly #hand: (value: Value) => void
  #waiting: Place<Value>[] = []

  constructor(hand: (value: Value) => void) {
    this.#hand = hand
  }

  /** Takes the next place, with a known value. */
  push(value: Value): void {
    if (this.#waiting.length === 0) this.#hand(value)
    else this.#waiting.push({ known: { value } })
  }

  /** Takes the next place; later values wait until it is filled. Only the first fill counts. */
  reserve(): (value: Value) => void {
    const place: Place<Value> = {}
    this.#waiting.push(place)
    return (value) => {
      if (place.known !== undefined) return
      place.known = { value }
      this.#flush()
    }
  }

  /** Drops places that were never filled, and hands on the rest. */
  close(): void {
    this.#waiting = this.#waiting.filter((place) => place.known !== undefined)
    this.#flush()
  }

  #flush(): void {
    for (let known = this.#waiting[0]?.known; known !== undefined; known = this.#waiting[0]?.known) {
      this.#waiting.shift()
      this.#hand(known.value)
    }
  }
}

/**
 * Joins the parts of a text, which may become known in any order, and hands the text on once it is complete.
 *
 * @param missing The total length of the shares. Each part is registered with its share.
 */
export function joinParts(missing: number, hand: (text: string) => void): (share: number) => (part: string) => void {
  let text = ''
  let left = missing
  const places = new Places<{ readonly part: string; readonly share: number }>(({ part, share }) => {
    text += part
    left -= share
    if (left === 0) hand(text)
  })
  return (share) => {
    const fill = places.reserve()
    return (part) => fill({ part, share })
  }
}

interface Place<Value> {
  known?: { readonly value: Value }
}
