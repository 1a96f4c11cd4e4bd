import type { Trace } from '../trace/trace.ts'
import type { WatchEnd } from '../trace/rows.ts'
import { formatDuration } from './units.ts'

const reasons: Readonly<Record<Exclude<WatchEnd, 'done'>, string>> = {
  time: 'the time of limits.lateMilliseconds was over',
  runs: 'more runs were watched than limits.lateRuns',
  close: 'the recorder was closed',
  exit: 'the process ended',
}

/** Says how long the work that a run left behind was recorded, and what ended that. Empty if nothing was left, then or before. */
export function describeWatch({ rows, end }: Trace): string[] {
  const closed = rows.findLast((row) => row.kind === 'closed')
  if (end === undefined || closed?.by === undefined || closed.by === 'done') return []
  const isAny = rows.slice(rows.lastIndexOf(end) + 1).some(({ kind }) => kind === 'timer' || kind === 'call')
  if (!isAny && closed.overdue === undefined) return []
  return [`What it left behind was recorded for ${formatDuration(closed.until - end.at)} after its end: then ${reasons[closed.by]}.`]
}
