import type { FoundStandIn, StandInKind } from '../redaction/stand-in.ts'
import type { StandInSides } from './stand-ins.ts'
import type { PathKey } from '../trace/json.ts'
import { pairedTexts } from './paired-texts.ts'
import type { RunPlace } from './run-place.ts'

/** A value that was redacted on both sides and compared only by its stand-in, so any other value of its kind would have been equal. */
export interface TrustedStandIn {
  readonly place: RunPlace
  /** Where in the input, state or outcome, as reports write it: `args.to`, `messages[0].content`. */
  readonly path: string
  /** The kind of redacted value: `secret` for keys, tokens, passwords and matches of your own rules. */
  readonly kind: StandInKind
  /** The stand-in in the trace. */
  readonly expected: string
  /** The stand-in that the replay made for the value that the agent's code passed. */
  readonly received: string
}

/** A recorded text and its counterpart in the replay, with the stand-ins of both. */
export interface StandInText {
  readonly keys: readonly PathKey[]
  readonly expected: { readonly text: string; readonly standIns: readonly FoundStandIn[] }
  readonly received: { readonly text: string; readonly standIns: readonly FoundStandIn[] }
}

/** The paired texts and numbers of two values in recorded form that contain the same number of stand-ins. */
export function standInTexts(expected: unknown, received: unknown, { recorded, live }: StandInSides): StandInText[] {
  return pairedTexts(expected, received).flatMap((pair): StandInText[] => {
    const [mine, theirs] = [recorded.find(pair.expected), live.find(pair.received)]
    if (mine.length === 0 || mine.length !== theirs.length) return []
    return [{ keys: pair.keys, expected: { text: pair.expected, standIns: mine }, received: { text: pair.received, standIns: theirs } }]
  })
}
