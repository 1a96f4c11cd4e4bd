import type { Trace } from '../../trace/trace.ts'
import { type ComparedValues, comparedValues } from './compared-values.ts'
import type { ReplayingRun } from '../replaying-run.ts'
import { type PairedStandIn, pairedStandIns } from './trusted-stand-ins.ts'

/**
 * The redacted values that an agent's own code passed in a replay. It contains the values themselves, so nothing of it may be written
 * without consent.
 */
export interface Brought {
  readonly standIns: readonly PairedStandIn[]
  /** E-mail addresses, card and phone numbers, by their stand-ins in the replay. */
  readonly literals: ReadonlyMap<string, string>
  readonly values: readonly ComparedValues[]
  /** Whether a stand-in was matched with the recorded one in its place. */
  readonly isFound: (standIn: PairedStandIn) => boolean
}

/** The values that a finished replay passed. */
export function broughtBy(trace: Trace, run: ReplayingRun, settled: Parameters<typeof comparedValues>[2]): Brought {
  const { redaction } = run
  return {
    // Collecting redacts everything, so the literals come last.
    standIns: pairedStandIns(trace, run, settled),
    values: comparedValues(trace, run, settled),
    literals: redaction.literals,
    isFound: ({ receivedNumber, expectedNumber }) => redaction.renaming.recordedFor(receivedNumber) === expectedNumber,
  }
}
