import { debugLog } from '../../node/debug-log.ts'
import type { CompletionRow } from '../../trace/rows.ts'

/** Logs what is released and when, and what is waited for. */
export const debug: ReturnType<typeof debugLog> = debugLog('conductor')

/** A completion without its values. */
export function describeRow(row: CompletionRow): string {
  if (row.kind === 'signal') return `signal ${row.name}`
  return row.kind === 'timer' ? `timer of ${row.delay} ms` : `step ${row.step} ${row.kind}`
}
