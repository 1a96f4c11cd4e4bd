/**
 * A long text, given as its difference from an earlier text of the same run, because an agent resends its conversation with every request: the
 * beginning of the earlier text, the added part, and the end of the earlier text. All lengths are in UTF-16 units.
 */
export interface ResentText {
  /** The index of the earlier text. */
  readonly base: number
  /** The index at which this text is stored. */
  readonly place: number
  /** The length of the earlier text's beginning that is kept. */
  readonly keep: number
  readonly added: string
  /** The length of the earlier text's end that is kept: settings and tools may follow the messages. */
  readonly end: number
}

/** A shorter text costs less to send than to compare. */
const SHORTEST = 1_000

/** A longer text is not remembered, and only one place holds texts longer than the second limit: memory is bounded. */
const LONGEST = 4_000_000
const LONGEST_OF_MOST = 1_000_000

/**
 * Recognises what a run sends again. No other code does: the entry carries the result to the writing thread, where it saves parsing and redaction.
 *
 * Invariant: a reader that reconstructs each result and stores it at its `place` holds the same texts at the same places.
 */
export class ResentTexts {
  /** Several, for conversations that take turns. */
  readonly #texts = ['', '', '', '']
  /** The places, most recently used first. */
  #latest: readonly number[] = [0, 1, 2, 3]

  /** Returns the text itself if it is too short or too long to be remembered. */
  recognise(text: string): ResentText | string {
    if (text.length < SHORTEST || text.length > LONGEST) return text
    const { base, keep, end } = this.#nearest(text)
    const place = this.#placeFor(text, base, keep)
    this.#texts[place] = text
    this.#latest = [place, ...this.#latest.filter((other) => other !== place)]
    return { base, place, keep, added: text.slice(keep, text.length - end), end }
  }

  /** Finds the earlier text with most in common; keeps none of it if that is less than half. */
  #nearest(text: string): Shared {
    let nearest: Shared = { base: 0, keep: 0, end: 0 }
    for (const base of this.#latest) {
      const shared = compare(base, this.#texts[base] ?? '', text)
      if (shared.keep + shared.end > nearest.keep + nearest.end) nearest = shared
      // Usually the latest conversation continues, and no other is checked.
      if (shared.keep * 2 > text.length) break
    }
    return (nearest.keep + nearest.end) * 2 > text.length ? nearest : { base: nearest.base, keep: 0, end: 0 }
  }

  /** A text that shares little more than its instructions belongs to another conversation. */
  #placeFor(text: string, base: number, keep: number): number {
    if (text.length > LONGEST_OF_MOST) return 0
    const goesOn = keep * 2 > (this.#texts[base]?.length ?? 0)
    return goesOn ? base : (this.#latest.at(-1) ?? 0)
  }
}

/** Reconstructs a text. @param base The text at its place `base`. */
export function resolveText({ keep, added, end }: ResentText, base: string): string {
  return base.slice(0, keep) + added + base.slice(base.length - end)
}

type Shared = Pick<ResentText, 'base' | 'keep' | 'end'>

function compare(base: number, earlier: string, text: string): Shared {
  const most = Math.min(earlier.length, text.length)
  const start = sharedLength(most, (from, to) => earlier.slice(from, to) === text.slice(from, to))
  // Half of a surrogate pair cannot be encoded.
  const keep = start > 0 && isHigh(earlier.charCodeAt(start - 1)) ? start - 1 : start
  const tail = sharedLength(most - keep, (from, to) => fromEnd(earlier, from, to) === fromEnd(text, from, to))
  const end = tail > 0 && isLow(earlier.charCodeAt(earlier.length - tail)) ? tail - 1 : tail
  return { base, keep, end }
}

/** How many UTF-16 units are compared at a time: comparing slices is as fast as memory, and texts that differ are not compared further. */
const LONGEST_STEP = 65_536

function sharedLength(most: number, isAlike: (from: number, to: number) => boolean): number {
  let shared = 0
  for (let step = LONGEST_STEP; step >= 1;) {
    if (shared + step <= most && isAlike(shared, shared + step)) shared += step
    else step /= 2
  }
  return shared
}

function fromEnd(text: string, from: number, to: number): string {
  return text.slice(text.length - to, text.length - from)
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
