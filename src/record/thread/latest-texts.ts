import { sharedLength } from '../shared-length.ts'

/** Where a text is kept on both sides, and how much of what was there before it begins with, in UTF-16 units. */
export interface TextPlace {
  readonly slot: number
  readonly shared: number
}

/**
 * The long texts that runs handed over of late: the next request of a conversation begins with nearly all of the one before. Two a run, so that a
 * conversation within a conversation does not take the place of the outer one.
 */
export class LatestTexts {
  readonly #ofRuns = new Map<number, Latest>()

  /** The place of a text that a run hands over now; undefined where it is too short to be worth one. */
  place(run: number, text: string): TextPlace | undefined {
    if (text.length < SHORTEST) return undefined
    const latest = this.#latestOf(run)
    const { texts, last } = latest
    // Most often it is the latest that goes on, and the other is not looked at.
    let slot = last
    let shared = sharedWhole(texts[slot] ?? '', text)
    if (shared * 2 < text.length) {
      slot = 1 - last
      shared = sharedWhole(texts[slot] ?? '', text)
    }
    if (shared * 2 < text.length) shared = 0
    texts[slot] = text
    latest.last = slot
    return { slot, shared }
  }

  /** What begins as the text that is kept there, and is kept there from now on. */
  resolve(run: number, { slot, shared }: TextPlace, rest: string): string {
    const { texts } = this.#latestOf(run)
    const text = `${texts[slot]?.slice(0, shared)}${rest}`
    texts[slot] = text
    return text
  }

  /** A run hands nothing over any more. */
  forget(run: number): void {
    this.#ofRuns.delete(run)
  }

  #latestOf(run: number): Latest {
    let latest = this.#ofRuns.get(run)
    if (latest === undefined) this.#ofRuns.set(run, (latest = { texts: ['', ''], last: 1 }))
    return latest
  }
}

interface Latest {
  readonly texts: string[]
  /** The slot of the latest one. */
  last: number
}

/** A few units less than they share cost nothing, half a pair would be lost. */
function sharedWhole(one: string, other: string): number {
  const shared = sharedLength(one, other, 64)
  return shared > 0 && isHigh(other.charCodeAt(shared - 1)) ? shared - 1 : shared
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

const SHORTEST = 4_096
