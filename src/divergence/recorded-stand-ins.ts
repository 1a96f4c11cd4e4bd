import { applyEdits } from '../redaction/edits.ts'
import type { KnownStandIns, StandInRenaming } from './stand-ins.ts'
import { textChanges } from './text-difference.ts'
import type { ValueDifference } from './value-differences.ts'

/**
 * Writes stand-ins of the replay as the recorded ones that stand in the same places of a text, if they may replace the same value. Where the text differs
 * in something else, they are no difference of their own.
 */
export function withRecordedStandIns(difference: ValueDifference, renaming: StandInRenaming): ValueDifference {
  const { expected, received } = difference
  const { recorded, live } = renaming.sides
  if (typeof expected !== 'string' || typeof received !== 'string') return difference
  if (live.find(received).every(({ number }) => number <= recorded.last)) return difference
  const [one, other] = [withoutNumbers(expected, recorded), withoutNumbers(received, live)]
  if (one.text === other.text) return difference
  const own = renaming.fork()
  const placeIn = placesBeside(one.text, other.text)
  for (const { at, number } of one.places) {
    const beside = other.places.find((place) => place.at === placeIn(at))
    const pairs = beside && own.pairsFor([number], [beside.number])
    if (pairs !== undefined) own.learn(pairs)
  }
  return { ...difference, received: own.toRecorded(received) }
}

/** A text with blanks for its stand-ins, and where each is then. */
interface Blanked {
  readonly text: string
  readonly places: readonly { readonly at: number; readonly number: number }[]
}

function withoutNumbers(text: string, standIns: KnownStandIns): Blanked {
  const found = standIns.find(text)
  let shift = 0
  const places = found.map(({ start, end, blank, number }) => {
    const at = start + shift
    shift += blank.length - (end - start)
    return { at, number }
  })
  const blanks = found.map(({ start, end, blank }) => ({ start, end, text: blank }))
  return { text: applyEdits(text, blanks), places }
}

/** Maps the places of a text to those of another one, but those within a change. */
function placesBeside(expected: string, received: string): (at: number) => number | undefined {
  const changes = textChanges(expected, received)
  return (at) => {
    const before = changes.findLast((change) => change.expected.start <= at)
    if (before === undefined) return at
    return at < before.expected.end ? undefined : at + before.received.end - before.expected.end
  }
}
