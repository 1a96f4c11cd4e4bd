import type { PrintedLog } from './print-log.ts'

/** What two runs of an agent have not in common, as the world sees it. */
export interface Difference {
  /** The first call (its index) of the unchanged run that the changed one did not make so. */
  readonly lacking: number | undefined
  /** Whether the changed run made a call that the unchanged one did not make so. */
  readonly extra: boolean
  readonly checkpoints: boolean
  readonly end: boolean
}

/** Holds what the world saw of a changed agent against what it saw of the unchanged one. Undefined where nobody outside can tell them apart. */
export function findDifference(unchanged: PrintedLog, changed: PrintedLog): Difference | undefined {
  const lacking = lacks(unchanged.calls, changed.calls)
  const extra = lacks(changed.calls, unchanged.calls) !== undefined
  const checkpoints = unchanged.checkpoints.join('\n') !== changed.checkpoints.join('\n')
  const end = unchanged.end !== changed.end
  return lacking !== undefined || extra || checkpoints || end ? { lacking, extra, checkpoints, end } : undefined
}

/** The index of the first call that the other run has less often. */
function lacks(calls: readonly string[], others: readonly string[]): number | undefined {
  const left = new Map<string, number>()
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1)
  const index = calls.findIndex((call) => {
    const count = left.get(call) ?? 0
    left.set(call, count - 1)
    return count <= 0
  })
  return index < 0 ? undefined : index
}
