import { warn } from '../run/tell.ts'
import type { RunCounts } from './run-counts.ts'

/** Warns of what happens to a run; returns whether it did, because repeated failures are only counted. */
type WarnOf = (what: string, why: string, id?: string) => boolean

/** Creates the warnings of a recorder. `warnOfLoss` warns of runs that are not stored. */
export function createRunWarnings(counts: RunCounts): {
  readonly warned: ReadonlySet<string>
  readonly warnOf: WarnOf
  readonly warnOfLoss: (...args: Parameters<WarnOf>) => void
} {
  const warned = new Set<string>()
  const warnOf: WarnOf = (what, why, id = '') => {
    const same = why.replaceAll(id, '')
    const isNew = !warned.has(same)
    if (isNew) warn(`goldenrun ${what}: ${why.replace(/\.$/, '')}. The run itself is not affected.`)
    warned.add(same)
    return isNew
  }
  return {
    warned,
    warnOf,
    warnOfLoss(...args) {
      if (warnOf(...args)) counts.named += 1
    },
  }
}
