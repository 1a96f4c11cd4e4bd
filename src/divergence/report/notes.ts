import { describeDrift } from '../drift.ts'
import type { ReportedRun } from './reported-run.ts'

/** What the reader has to know beside the divergence: what has drifted since the recording, and paths of options that match nothing. */
export function notesOf({ divergences, drift = [], unmatchedPaths = [] }: ReportedRun): string[] {
  // A divergence that is a drift of the model has said so.
  const told = divergences[0]?.cause === 'model-drift' ? drift.filter(({ kind }) => kind !== 'model') : drift
  return [
    ...told.map((each) => `Drift: ${describeDrift(each)}`),
    ...unmatchedPaths.map((path) => `Note: the path ${path} of ignore or normalize matches nothing in this run.`),
  ]
}
