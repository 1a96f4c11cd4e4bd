import { findStandIns, renumber } from '../redaction/stand-in.ts'

/** Where the stand-ins of a trace come from. */
export interface StandInOrigins {
  /** The highest number among them; what is redacted in a replay is numbered from there. */
  readonly last: number
  /** Whether the recorded run had a value of its own, and not from its input or from an answer: it came up first in what the agent made. */
  isOwn(number: number): boolean
}

/** A text with its stand-ins as variables: what is left is the same wherever two texts differ in nothing but secrets. */
export interface BlankedText {
  readonly text: string
  /** The numbers of the stand-ins, in the order in which they stand there. */
  readonly numbers: readonly number[]
}

/** A text with `#` in the place of the numbers of its stand-ins; those in recorded bytes are among them. */
export function blankStandIns(printed: string): BlankedText {
  const text = printed.includes('"bytes":"') ? printed.replaceAll(recordedBytes, readableBytes) : printed
  const found = findStandIns(text)
  if (found.length === 0) return { text, numbers: none }
  let blanked = ''
  let at = 0
  for (const { start, end } of found) {
    blanked += text.slice(at, start) + text.slice(start, end).replaceAll(/\d+/g, '#')
    at = end
  }
  return { text: blanked + text.slice(at), numbers: found.map(({ number }) => number) }
}

/** A text without the numbers of its stand-ins. */
export function withoutStandInNumbers(text: string): string {
  return blankStandIns(text).text
}

/**
 * Which recorded stand-in each one of a replay is: one renaming for the whole run.
 *
 * What the agent was given holds recorded stand-ins: those are themselves. A value that the agent's code holds is redacted in the replay, and
 * has a number of the replay's: it may be a recorded one that the recorded run had of its own, from its first comparison on, and no other value
 * may be the same one. So a constant is equal to its stand-in, while two customers changed about are not, and neither is a customer's address
 * that became a constant.
 */
export class StandInRenaming {
  readonly #origins: () => StandInOrigins
  readonly #recorded: Map<number, number>
  readonly #live: Map<number, number>

  /** @param origins Asked for when a stand-in of the replay's is first met. Default: every stand-in may be any other. */
  constructor(
    origins: () => StandInOrigins = () => anyOrigin,
    pairs: { readonly recorded: Iterable<[number, number]>; readonly live: Iterable<[number, number]> } = { recorded: [], live: [] },
  ) {
    this.#origins = origins
    this.#recorded = new Map(pairs.recorded)
    this.#live = new Map(pairs.live)
  }

  /** Whether nothing has been learned yet. */
  get isEmpty(): boolean {
    return this.#recorded.size === 0
  }

  /** The recorded stand-in that one of the replay was found to be; undefined where nothing was compared with it, or it came from the trace. */
  recordedFor(live: number): number | undefined {
    return this.#recorded.get(live)
  }

  /** One that learns apart from this. */
  fork(): StandInRenaming {
    return new StandInRenaming(this.#origins, { recorded: this.#recorded, live: this.#live })
  }

  /** The pairs that have to be learned for two texts with equal blanks to be the same; undefined where no renaming makes them so. */
  pairsFor(expected: readonly number[], received: readonly number[]): ReadonlyMap<number, number> | undefined {
    if (expected.length !== received.length) return undefined
    const pairs = new Map<number, number>()
    const origin = new Map<number, number>()
    for (const [index, live] of received.entries()) {
      const recorded = expected[index] ?? 0
      const known = this.#recorded.get(live) ?? pairs.get(live)
      if (known === recorded) continue
      if (known !== undefined) return undefined
      // As the agent was given it.
      if (live === recorded && live <= this.#origins().last) continue
      const { last, isOwn } = this.#origins()
      if (live <= last || !isOwn(recorded) || (this.#live.get(recorded) ?? origin.get(recorded) ?? live) !== live) return undefined
      pairs.set(live, recorded)
      origin.set(recorded, live)
    }
    return pairs
  }

  /** Takes pairs for true from now on. */
  learn(pairs: ReadonlyMap<number, number>): void {
    for (const [live, recorded] of pairs) {
      this.#recorded.set(live, recorded)
      this.#live.set(recorded, live)
    }
  }

  /** Whether two texts are the same; what that takes is learned. */
  isSame(expected: string, received: string): boolean {
    const [one, other] = [blankStandIns(expected), blankStandIns(received)]
    if (one.text !== other.text) return false
    const pairs = this.pairsFor(one.numbers, other.numbers)
    if (pairs !== undefined) this.learn(pairs)
    return pairs !== undefined
  }

  /** A text of the replay with the recorded stand-ins in the place of those that are known to be the same. */
  toRecorded(text: string): string {
    if (this.#recorded.size === 0) return text
    let output = ''
    let at = 0
    for (const { start, end, number } of findStandIns(text)) {
      const recorded = this.#recorded.get(number)
      if (recorded === undefined) continue
      output += text.slice(at, start) + renumber(text.slice(start, end), recorded)
      at = end
    }
    return output + text.slice(at)
  }
}

const none: readonly number[] = []

const recordedBytes = /"bytes":"(?<base64>[A-Za-z0-9+/]+={0,2})"/g

/** Bytes with stand-ins in them as text, of one character a byte. */
function readableBytes(written: string, base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('latin1')
  return findStandIns(text).length === 0 ? written : `"bytes":${JSON.stringify(text)}`
}

const anyOrigin: StandInOrigins = { last: 0, isOwn: () => true }
