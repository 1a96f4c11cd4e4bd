import { inputPath } from '../divergence/compare-inputs.ts'
import { normalInput } from '../divergence/normal-input.ts'
import type { PathRules } from '../divergence/path-rules.ts'
import { type StandInText, standInTexts, type TrustedStandIn } from '../divergence/stand-in-places.ts'
import { standInText } from '../record/redaction/stand-in.ts'
import { toPath } from '../trace/path.ts'
import type { Trace } from '../trace/trace.ts'
import { type ComparedValues, comparedValues } from './compared-values.ts'
import type { ReplayingRun } from './replaying-run.ts'

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
    const { texts, pathTo } = textsOf(values, run.rules)
    return texts.flatMap(({ keys, expected, received }) =>
      received.standIns.flatMap((live, index): PairedStandIn[] => {
        const recorded = expected.standIns[index]
        if (recorded === undefined) return []
        return [
          {
            place: values.place,
            path: pathTo(keys),
            kind: live.kind,
            expected: standInText(expected.text, recorded),
            received: standInText(received.text, live),
            expectedNumber: recorded.number,
            receivedNumber: live.number,
          },
        ]
      }),
    )
  })
}

function textsOf(
  { place, call, expected, received }: ComparedValues,
  rules: PathRules,
): { readonly texts: readonly StandInText[]; readonly pathTo: (keys: StandInText['keys']) => string } {
  if (call !== undefined) {
    const { boundary, name } = call
    const normal = (input: unknown): unknown => rules.input(boundary, normalInput(boundary, name, input))
    return { texts: standInTexts(normal(expected), normal(received)), pathTo: (keys) => inputPath(boundary, keys) }
  }
  if (place === 'outcome') return { texts: standInTexts(rules.value(expected), rules.value(received)), pathTo: (keys) => toPath(keys, '') }
  return { texts: standInTexts(rules.value({ state: expected }), rules.value({ state: received })), pathTo: (keys) => toPath(keys, '') }
}
