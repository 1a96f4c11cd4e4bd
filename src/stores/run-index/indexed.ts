import type { RunSummary } from '../run-summary.ts'
import type { Stamp } from '../store-files.ts'
import type { IndexedRun } from './run-index.ts'

/** A run in index form: with the size of its recording, and the users' flags. */
export function toIndexed(summary: RunSummary, stamp: Stamp, flags: readonly string[]): IndexedRun {
  return { id: summary.id, summary: { ...summary, flags: [...summary.flags, ...flags], bytes: stamp.size }, ...stamp }
}
