import { type TrustedStandIn, standInTexts } from '../../divergence/stand-in-places.ts'
import type { StandInSides } from '../../divergence/stand-ins.ts'
import type { Settled } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { type ComparedValues, comparedValues, normalValues } from './compared-values.ts'
import type { ReplayingRun } from '../replaying-run.ts'

/** The values that a replay compared only as stand-ins: the code's own values that were matched with recorded ones. */
export function trustedStandIns(trace: Trace, run: ReplayingRun, settled: Settled | undefined): TrustedStandIn[] {
  const { renaming } = run.redaction
  // Most runs have none, so nothing is searched.
  if (renaming.isEmpty) return []
  return pairedStandIns(trace, run, settled).flatMap(({ expectedNumber, receivedNumber, ...standIn }) =>
    renaming.recordedFor(receivedNumber) === expectedNumber ? [standIn] : [],
  )
}

/** A stand-in of the replay, and its recorded counterpart. */
interface PairedStandIn extends TrustedStandIn {
  readonly expectedNumber: number
  readonly receivedNumber: number
}

/**
 * The stand-ins of a replay, at each place where the recorded value has equally many: both those that it was given and those of the code.
 * Ignored values are left out.
 */
function pairedStandIns(trace: Trace, run: ReplayingRun, settled: Settled | undefined): PairedStandIn[] {
  return comparedValues(trace, run, settled).flatMap((values) => {
    const { expected: recorded, received: replayed, pathTo } = normalValues(values, run.settings.rules)
    return standInTexts(recorded, replayed, run.redaction.renaming.sides).flatMap(({ keys, expected, received }) =>
      received.standIns.flatMap((standIn, index): PairedStandIn[] => {
        const counterpart = expected.standIns[index]
        if (counterpart === undefined) return []
        return [
          {
            place: values.place,
            path: pathTo(keys),
            kind: standIn.kind,
            expected: expected.text.slice(counterpart.start, counterpart.end),
            received: received.text.slice(standIn.start, standIn.end),
            expectedNumber: counterpart.number,
            receivedNumber: standIn.number,
          },
        ]
      }),
    )
  })
}

/**
 * The redacted values that an agent's own code passed in a replay. They are the unredacted values themselves, so none of them may be written
 * without consent.
 */
export interface Brought {
  readonly standIns: readonly PairedStandIn[]
  /** E-mail addresses, card and phone numbers, by their stand-ins in the replay. */
  readonly literals: ReadonlyMap<string, string>
  readonly values: readonly ComparedValues[]
  /** The stand-ins of the trace and of the replay. */
  readonly sides: StandInSides
  /** Whether a stand-in was matched with the recorded one at the same place. */
  readonly isFound: (standIn: PairedStandIn) => boolean
}

/** The values that a finished replay passed. */
export function broughtBy(trace: Trace, run: ReplayingRun, settled: Settled | undefined): Brought {
  const { redaction } = run
  return {
    // Collecting the stand-ins redacts everything, so the literals come last.
    standIns: pairedStandIns(trace, run, settled),
    values: comparedValues(trace, run, settled),
    sides: redaction.renaming.sides,
    literals: redaction.literals,
    isFound: ({ receivedNumber, expectedNumber }) => redaction.renaming.recordedFor(receivedNumber) === expectedNumber,
  }
}
