import type { Trace } from '../../trace/trace.ts'
import { type ComparedValues, comparedValues } from './compared-values.ts'
import type { ReplayingRun } from '../replaying-run.ts'
import { type PairedStandIn, pairedStandIns } from './trusted-stand-ins.ts'

/** What an agent's own code brought to places of a replay that are redacted. It holds the values themselves: nothing of it may be written down unasked. */
export interface Brought {
  readonly standIns: readonly PairedStandIn[]
  /** What addresses, cards and phone numbers are, by their stand-ins in the replay. */
  readonly literals: ReadonlyMap<string, string>
  readonly values: readonly ComparedValues[]
  /** Whether a stand-in was found to be the recorded one in its place. */
  readonly isFound: (standIn: PairedStandIn) => boolean
}

/** What a replay that is over brought. */
export function broughtBy(trace: Trace, run: ReplayingRun, settled: Parameters<typeof comparedValues>[2]): Brought {
  const { redaction } = run
  return {
    // Everything is redacted once it has been looked at, so the literals come last.
    standIns: pairedStandIns(trace, run, settled),
    values: comparedValues(trace, run, settled),
    literals: redaction.literals,
    isFound: ({ receivedNumber, expectedNumber }) => redaction.renaming.recordedFor(receivedNumber) === expectedNumber,
  }
}
