import type { CompletionRow, ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'

/** Whether a row records something that reached the run. */
export function isCompletion(row: Row): row is CompletionRow {
  return ['head', 'chunk', 'return', 'throw', 'timer', 'signal'].includes(row.kind)
}

export function isSettling(row: Row): row is ReturnRow | ThrowRow {
  return row.kind === 'return' || row.kind === 'throw'
}

/** Whether a row was caused by the agent itself, so that the conductor does not release it. */
export function isOwnDoing(row: Row): boolean {
  return isSettling(row) && (row.by === 'agent' || row.sync === true)
}
