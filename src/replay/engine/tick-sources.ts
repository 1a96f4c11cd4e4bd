import type { CompletionRow } from '../../trace/rows.ts'
import { keyOf } from './virtual-timers.ts'

/** Whether a tick has completions of several calls or timers. */
export function areOfSeveral(rows: readonly CompletionRow[]): boolean {
  return rows.length > 1 && rows.some((row) => sourceOf(row) !== sourceOf(rows[0]))
}

/** The source of a completion. */
function sourceOf(row: CompletionRow | undefined): number | string | undefined {
  if (row?.kind === 'timer') return keyOf(row)
  return row?.kind === 'signal' ? row.name : row?.step
}
