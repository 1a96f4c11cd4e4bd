import type { PrintedLog } from './print-log.ts'

/** What two runs of an agent have not in common, as the world sees it. Undefined is what they have in common. */
export interface Difference {
  /** How many calls of the unchanged run come before the first that the changed one did not make so. */
  readonly lacking: number | undefined
  /** How many calls of the changed run come before the first that the unchanged one did not make so. */
  readonly extra: number | undefined
  /** How many calls had been answered at the first checkpoint that differs; the fewer, where it was moved. */
  readonly checkpoint: number | undefined
  readonly end: true | undefined
}

/** Holds what the world saw of a changed agent against what it saw of the unchanged one. Undefined where nobody outside can tell them apart. */
export function findDifference(unchanged: PrintedLog, changed: PrintedLog): Difference | undefined {
  const [lacking, extra] = [lacks(unchanged.calls, changed.calls), lacks(changed.calls, unchanged.calls)]
  // Where all calls are the same, the answers that the run ended with are, too.
  const isSooner = lacking === undefined && extra === undefined && unchanged.answeredByEnd !== changed.answeredByEnd
  const difference = {
    lacking,
    extra,
    checkpoint: firstCheckpoint(unchanged.checkpoints, changed.checkpoints),
    end: unchanged.end === changed.end && !isSooner ? undefined : (true as const),
  }
  return Object.values(difference).every((part) => part === undefined) ? undefined : difference
}

/** The index of the first call that the others have less often. */
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

function firstCheckpoint(unchanged: PrintedLog['checkpoints'], changed: PrintedLog['checkpoints']): number | undefined {
  const most = Math.max(unchanged.length, changed.length)
  for (let index = 0; index < most; index += 1) {
    const [one, other] = [unchanged[index], changed[index]]
    if (one?.text !== other?.text) return Math.min(one?.answered ?? Infinity, other?.answered ?? Infinity)
  }
  return undefined
}
