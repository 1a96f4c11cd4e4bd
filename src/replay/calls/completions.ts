import type { CompletionRow, ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'

/** Whether a row tells of something that reached the run. */
export function isCompletion(row: Row): row is CompletionRow {
  return ['head', 'chunk', 'return', 'throw', 'timer', 'signal'].includes(row.kind)
}

export function isSettling(row: Row): row is ReturnRow | ThrowRow {
  return row.kind === 'return' || row.kind === 'throw'
}

/** Whether a row came about by the agent's own doing, so that nothing of the world's is to be released for it. */
export function isOwnDoing(row: Row): boolean {
  return isSettling(row) && (row.by === 'agent' || row.sync === true)
}
