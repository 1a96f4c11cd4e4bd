import { applyEdits, type Edit, mergeEdits } from '../redaction/edits.ts'
import { findEncodedRuns } from '../redaction/encoded-runs.ts'
import { editsInRuns, withReadableStandIns } from '../redaction/encoded-text.ts'
import { withoutFrames } from './stack-frames.ts'
import { noStandIns, type StandIns } from '../redaction/stand-in.ts'

/** Where the stand-ins of a trace come from. */
export interface StandInOrigins {
  /** The highest number among them; a replay numbers its own stand-ins from there. */
  readonly last: number
  /** Whether a value came from the recorded run itself, not from its input or an answer: the agent's own output had it first. */
  isOwn(number: number): boolean
}

/** A text with its stand-ins as variables and without frames of stacks: equal for texts that differ only in redacted values and frames. */
export interface BlankedText {
  readonly text: string
  /** The numbers of the stand-ins, in order. */
  readonly numbers: readonly number[]
}

/** How the stand-ins of a trace are found. */
export type KnownStandIns = Pick<StandIns, 'find' | 'last' | 'rewrite' | 'variablesOf'>

/** The stand-ins of a recorded run, and of the run that is compared with it: in a replay, the recorded ones and the replay's own. */
export interface StandInSides {
  readonly recorded: KnownStandIns
  readonly live: KnownStandIns
}

/** Neither side has stand-ins. */
export const noSides: StandInSides = { recorded: noStandIns, live: noStandIns }

/** A text with `#` in place of its stand-ins, including those within recorded bytes and base64, and without frames of stacks. */
export function blankStandIns(printed: string, standIns: KnownStandIns): BlankedText {
  const readable = printed.includes('"bytes":"')
    ? printed.replaceAll(recordedBytes, (written, base64: string) => readableBytes(written, base64, standIns))
    : printed
  const text = withoutFrames(withReadableStandIns(readable, standIns))
  const found = standIns.find(text)
  if (found.length === 0) return { text, numbers: none }
  const blanks = found.map(({ start, end, blank }) => ({ start, end, text: blank }))
  return { text: applyEdits(text, blanks), numbers: found.map(({ number }) => number) }
}

/** A text with `#` in place of its stand-ins. */
export function withoutStandIns(text: string, standIns: KnownStandIns): string {
  return blankStandIns(text, standIns).text
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
  readonly sides: StandInSides
  readonly #origins: () => StandInOrigins
  readonly #recorded = new Map<number, number>()
  readonly #live = new Map<number, number>()

  /** @param origins Called when a stand-in of the replay is first seen. Default: every stand-in may match any other. */
  constructor(sides: StandInSides, origins: () => StandInOrigins = () => anyOrigin) {
    this.sides = sides
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
    const copy = new StandInRenaming(this.sides, this.#origins)
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
      if (!this.#mayBeSameVariable(recorded, live)) return undefined
      pairs.set(live, recorded)
      origin.set(recorded, live)
    }
    return pairs
  }

  /** Two values that come from variables come from the same one. */
  #mayBeSameVariable(recorded: number, live: number): boolean {
    const then = this.sides.recorded.variablesOf(recorded)
    const now = then.length === 0 ? then : this.sides.live.variablesOf(live)
    return now.length === 0 || then.some((name) => now.includes(name))
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
    const [one, other] = [blankStandIns(expected, this.sides.recorded), blankStandIns(received, this.sides.live)]
    if (one.text !== other.text) return false
    const pairs = this.pairsFor(one.numbers, other.numbers)
    if (pairs !== undefined) this.learn(pairs)
    return pairs !== undefined
  }

  /** A text of the replay with its known stand-ins replaced by the recorded ones. */
  toRecorded(text: string): string {
    if (this.#recorded.size === 0) return text
    const rewrites = (part: string): Edit[] =>
      this.sides.live.find(part).flatMap(({ start, end, number }) => {
        const recorded = this.#recorded.get(number)
        return recorded === undefined ? [] : [{ start, end, text: this.sides.recorded.rewrite(part.slice(start, end), recorded) }]
      })
    const inEncoded = editsInRuns(text, findEncodedRuns(text), rewrites)
    return applyEdits(text, mergeEdits(rewrites(text), inEncoded))
  }
}

const none: readonly number[] = []

const recordedBytes = /"bytes":"(?<base64>[A-Za-z0-9+/]+={0,2})"/g

/** Bytes that contain stand-ins, as text with one character per byte. */
function readableBytes(written: string, base64: string, standIns: KnownStandIns): string {
  const text = Buffer.from(base64, 'base64').toString('latin1')
  return standIns.find(text).length === 0 ? written : `"bytes":${JSON.stringify(text)}`
}

const anyOrigin: StandInOrigins = { last: 0, isOwn: () => true }
