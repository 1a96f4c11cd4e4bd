import type { CompletionRow } from '../../trace/rows.ts'
import type { PlannedTick } from '../calls/plan.ts'

/** The index of the next tick that has something for the agent; the number of ticks if there is none. */
export function nextTick(ticks: readonly PlannedTick[], from: number, reaches: (row: CompletionRow) => boolean): number {
  const index = ticks.findIndex(({ rows }, at) => at >= from && rows.some(reaches))
  return index === -1 ? ticks.length : index
}
