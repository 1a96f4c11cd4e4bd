import type { CompletionRow } from '../../trace/rows.ts'
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
