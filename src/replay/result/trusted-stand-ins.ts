import { standInTexts, type TrustedStandIn } from '../../divergence/stand-in-places.ts'
import { standInText } from '../../redaction/stand-in.ts'
import type { Trace } from '../../trace/trace.ts'
import { comparedValues, normalValues } from './compared-values.ts'
import type { ReplayingRun } from '../replaying-run.ts'

/** The values that a replay compared only as stand-ins: those of the code's own values that were matched with recorded ones. */
export function trustedStandIns(trace: Trace, run: ReplayingRun, settled: Parameters<typeof comparedValues>[2]): TrustedStandIn[] {
  const { renaming } = run.redaction
  // Most runs have none, and nothing is searched.
  if (renaming.isEmpty) return []
  return pairedStandIns(trace, run, settled).flatMap(({ expectedNumber, receivedNumber, ...standIn }) =>
    renaming.recordedFor(receivedNumber) === expectedNumber ? [standIn] : [],
  )
}

/** A stand-in of the replay, and its recorded counterpart. */
export interface PairedStandIn extends TrustedStandIn {
  readonly expectedNumber: number
  readonly receivedNumber: number
}

/**
 * The stand-ins of a replay, wherever the recorded value has equally many: those that it was given and those of the code. Ignored values
 * are left out.
 */
export function pairedStandIns(trace: Trace, run: ReplayingRun, settled: Parameters<typeof comparedValues>[2]): PairedStandIn[] {
  return comparedValues(trace, run, settled).flatMap((values) => {
    const { expected: recorded, received: replayed, pathTo } = normalValues(values, run.rules)
    return standInTexts(recorded, replayed).flatMap(({ keys, expected, received }) =>
      received.standIns.flatMap((standIn, index): PairedStandIn[] => {
        const counterpart = expected.standIns[index]
        if (counterpart === undefined) return []
        return [
          {
            place: values.place,
            path: pathTo(keys),
            kind: standIn.kind,
            expected: standInText(expected.text, counterpart),
            received: standInText(received.text, standIn),
            expectedNumber: counterpart.number,
            receivedNumber: standIn.number,
          },
        ]
      }),
    )
  })
}
