import type { PrintedLog } from './print-log.ts'

/** The differences between two runs of an agent, as the world sees them. Undefined where they agree. */
export interface Difference {
  /** How many calls of the unchanged run come before the first one that the changed run did not make in the same way. */
  readonly lacking: number | undefined
  /** How many calls of the changed run come before the first one that the unchanged run did not make in the same way. */
  readonly extra: number | undefined
  /** How many calls had been answered at the first checkpoint that differs; if it was moved, the smaller number. */
  readonly checkpoint: number | undefined
  readonly end: true | undefined
}

/** Compares what the world saw of a changed and of an unchanged agent. Undefined if they cannot be told apart from outside. */
export function findDifference(unchanged: PrintedLog, changed: PrintedLog): Difference | undefined {
  const [lacking, extra] = [lacks(unchanged.calls, changed.calls), lacks(changed.calls, unchanged.calls)]
  // If all calls are the same, the answers at the end are comparable, and show whether the run ended sooner.
  const isSooner = lacking === undefined && extra === undefined && unchanged.answeredByEnd !== changed.answeredByEnd
  const difference = {
    lacking,
    extra,
    checkpoint: firstCheckpoint(unchanged.checkpoints, changed.checkpoints),
    end: unchanged.end === changed.end && !isSooner ? undefined : (true as const),
  }
  return Object.values(difference).every((part) => part === undefined) ? undefined : difference
}

/** Returns the index of the first call that occurs less often among the others. */
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
