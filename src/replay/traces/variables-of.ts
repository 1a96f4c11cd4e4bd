import { headerValue } from '../../http/headers.ts'
import type { HttpInput, Row } from '../../trace/rows.ts'

/** Environment variables whose values a run sent, with the value, or null for a credential. */
export type SentVariables = Readonly<Record<string, string | null>>

/** Returns the environment variables whose values a run sent or was given. */
export function variablesOf(rows: readonly Row[]): SentVariables {
  const found: Record<string, string | null> = {}
  for (const row of rows) {
    if (row.kind === 'stand-in') for (const name of row.variables ?? []) found[name] ??= null
    if (row.kind !== 'call' || row.credentials === undefined) continue
    const { headers = [] } = row.input as Partial<HttpInput>
    for (const { at, value, variables = [] } of row.credentials) {
      const text = value === undefined ? (headerValue(headers, at) ?? null) : null
      for (const name of variables) found[name] ??= text
    }
  }
  return found
}
