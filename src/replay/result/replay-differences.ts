import type { Divergence } from '../../divergence/divergence.ts'
import { compareRuns } from '../compare/compare-runs.ts'
import type { ReplayedRun } from '../contract/replayed-run.ts'

/** Where two replays of one trace differ: nondeterminism, whatever the trace says. */
export async function differenceBetween(first: ReplayedRun, other: ReplayedRun): Promise<Divergence> {
  const [difference] = (await compareRuns(first, other)).divergences
  if (difference === undefined) {
    const nowhere = {
      step: first.trace.steps.length,
      position: 'after',
      parts: [],
      differences: [],
      nearest: [],
      consequence: false,
    } as const
    return { ...nowhere, cause: 'nondeterminism', expected: first.hash, received: other.hash }
  }
  const { cause, name } = difference
  // A call that only one replay made was kept by the process.
  const isKept = name !== undefined && (cause === 'missing-call' || cause === 'unexpected-call')
  return { ...difference, cause: 'nondeterminism', ...(isKept && { processState: name }) }
}
