import { applyEdits } from '../redaction/edits.ts'
import { findStandIns, renumber } from '../redaction/stand-in.ts'

/** Where the stand-ins of a trace come from. */
export interface StandInOrigins {
  /** The highest number among them; a replay numbers its own stand-ins from there. */
  readonly last: number
  /** Whether a value came from the recorded run itself, not from its input or an answer: the agent's own output had it first. */
  isOwn(number: number): boolean
}

/** A text with its stand-ins as variables: equal for texts that differ only in redacted values. */
export interface BlankedText {
  readonly text: string
  /** The numbers of the stand-ins, in order. */
  readonly numbers: readonly number[]
}

/** A text with `#` in place of the numbers of its stand-ins, including those within recorded bytes. */
export function blankStandIns(printed: string): BlankedText {
  const text = printed.includes('"bytes":"') ? printed.replaceAll(recordedBytes, readableBytes) : printed
  const found = findStandIns(text)
  if (found.length === 0) return { text, numbers: none }
  const blanks = found.map(({ start, end }) => ({ start, end, text: text.slice(start, end).replaceAll(/\d+/g, '#') }))
  return { text: applyEdits(text, blanks), numbers: found.map(({ number }) => number) }
}

/** A text without the numbers of its stand-ins. */
export function withoutStandInNumbers(text: string): string {
  return blankStandIns(text).text
}

/**
 * Maps the stand-ins of a replay to recorded ones, with one renaming for the whole run.
 *
 * Stand-ins in values that the agent was given are the recorded ones and map to themselves. A value in the agent's code is redacted in the
 * replay and gets a new number. At its first comparison, it may be mapped to a value that the recorded run itself produced, and no other
 * value may be mapped to the same one. So a constant equals its stand-in, but two swapped customers do not match, and neither does a
 * customer's address that became a constant.
 */
export class StandInRenaming {
  readonly #origins: () => StandInOrigins
  readonly #recorded = new Map<number, number>()
  readonly #live = new Map<number, number>()

  /** @param origins Called when a stand-in of the replay is first seen. Default: every stand-in may match any other. */
  constructor(origins: () => StandInOrigins = () => anyOrigin) {
    this.#origins = origins
  }

  /** Whether nothing has been learned yet. */
  get isEmpty(): boolean {
    return this.#recorded.size === 0
  }

  /** The recorded stand-in that a replayed one is mapped to; undefined if it has not been compared yet, or came from the trace. */
  recordedFor(live: number): number | undefined {
    return this.#recorded.get(live)
  }

  /** A copy that learns independently. */
  fork(): StandInRenaming {
    const copy = new StandInRenaming(this.#origins)
    copy.learn(this.#recorded)
    return copy
  }

  /** The pairs to learn so that two texts with equal blanked text are the same; undefined if no renaming makes them equal. */
  pairsFor(expected: readonly number[], received: readonly number[]): ReadonlyMap<number, number> | undefined {
    if (expected.length !== received.length) return undefined
    const pairs = new Map<number, number>()
    const origin = new Map<number, number>()
    for (const [index, live] of received.entries()) {
      const recorded = expected[index] ?? 0
      const known = this.#recorded.get(live) ?? pairs.get(live)
      if (known === recorded) continue
      if (known !== undefined) return undefined
      // The agent was given this value.
      if (live === recorded && live <= this.#origins().last) continue
      const { last, isOwn } = this.#origins()
      if (live <= last || !isOwn(recorded) || (this.#live.get(recorded) ?? origin.get(recorded) ?? live) !== live) return undefined
      pairs.set(live, recorded)
      origin.set(recorded, live)
    }
    return pairs
  }

  /** Adds pairs to the renaming. */
  learn(pairs: ReadonlyMap<number, number>): void {
    for (const [live, recorded] of pairs) {
      this.#recorded.set(live, recorded)
      this.#live.set(recorded, live)
    }
  }

  /** Whether two texts are the same. Learns the pairs that this requires. */
  isSame(expected: string, received: string): boolean {
    const [one, other] = [blankStandIns(expected), blankStandIns(received)]
    if (one.text !== other.text) return false
    const pairs = this.pairsFor(one.numbers, other.numbers)
    if (pairs !== undefined) this.learn(pairs)
    return pairs !== undefined
  }

  /** A text of the replay with its known stand-ins replaced by the recorded ones. */
  toRecorded(text: string): string {
    if (this.#recorded.size === 0) return text
    const renumbered = findStandIns(text).flatMap(({ start, end, number }) => {
      const recorded = this.#recorded.get(number)
      return recorded === undefined ? [] : [{ start, end, text: renumber(text.slice(start, end), recorded) }]
    })
    return applyEdits(text, renumbered)
  }
}

const none: readonly number[] = []

const recordedBytes = /"bytes":"(?<base64>[A-Za-z0-9+/]+={0,2})"/g

/** Bytes that contain stand-ins, as text with one character per byte. */
function readableBytes(written: string, base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('latin1')
  return findStandIns(text).length === 0 ? written : `"bytes":${JSON.stringify(text)}`
}

const anyOrigin: StandInOrigins = { last: 0, isOwn: () => true }
