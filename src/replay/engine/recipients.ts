import { throwUncaught } from '../../node/throw-uncaught.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import type { Delivery } from '../calls/replay-call.ts'
import type { AwaitedSteps } from './awaited-steps.ts'
import type { VirtualTimers } from './virtual-timers.ts'

/** Whether a completion has a recipient: a call or a timer of the replay. */
export function hasRecipient(row: CompletionRow, steps: AwaitedSteps, timers: VirtualTimers): boolean {
  if (row.kind === 'signal') return true
  return row.kind === 'timer' ? timers.find(row) !== undefined : steps.callOf(row.step) !== undefined
}

/** Whether releasing a completion would reach the agent. Intervals count only if there is no other timer. */
export function reachesAgent(row: CompletionRow, steps: AwaitedSteps, timers: VirtualTimers, countsIntervals: boolean): boolean {
  if (row.kind === 'signal') return true
  if (row.kind !== 'timer') return steps.callOf(row.step)?.state === 'open'
  const timer = timers.find(row)
  return timer?.repeats === false || (countsIntervals && timer !== undefined)
}

/** Gives a completion to its call, and goes on where a listener of the agent throws. */
export function giveRow(delivery: Delivery, row: CompletionRow): void {
  try {
    delivery.row(row)
  } catch (error) {
    throwUncaught(error)
  }
}
