import { standInTexts, type TrustedStandIn } from '../../divergence/stand-in-places.ts'
import { standInText } from '../../redaction/stand-in.ts'
import type { Trace } from '../../trace/trace.ts'
import { comparedValues, normalValues } from './compared-values.ts'
import type { ReplayingRun } from '../replaying-run.ts'

/** What a replay compared only as stand-ins: those that it made of the code's own values, and found to be recorded ones. */
export function trustedStandIns(trace: Trace, run: ReplayingRun, settled: Parameters<typeof comparedValues>[2]): TrustedStandIn[] {
  const { renaming } = run.redaction
  // Nothing was found to be a recorded one: of most runs that is so, and nothing is looked through.
  if (renaming.isEmpty) return []
  return pairedStandIns(trace, run, settled).flatMap(({ expectedNumber, receivedNumber, ...standIn }) =>
    renaming.recordedFor(receivedNumber) === expectedNumber ? [standIn] : [],
  )
}

/** A stand-in of the replay, and the recorded one in whose place it stands. */
export interface PairedStandIn extends TrustedStandIn {
  readonly expectedNumber: number
  readonly receivedNumber: number
}

/** The stand-ins of a replay, wherever as many stand in the recorded value: those that it was given and those of the code. What rules ignore is left out. */
export function pairedStandIns(trace: Trace, run: ReplayingRun, settled: Parameters<typeof comparedValues>[2]): PairedStandIn[] {
  return comparedValues(trace, run, settled).flatMap((values) => {
    const { expected: recorded, received: live, pathTo } = normalValues(values, run.rules)
    return standInTexts(recorded, live).flatMap(({ keys, expected, received }) =>
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
