import type { StoredTrace } from '../stores/trace-store.ts'
import { asWritten } from '../trace/as-written.ts'
import { createDecoder } from '../trace/codec/decoder.ts'
import type { Row } from '../trace/rows.ts'

/** The header of a recording and the rows of one of its steps, up to its settling; empty if there is no such step. */
export function stepOf(stored: StoredTrace, step: number): Row[] {
  const decoder = createDecoder(asWritten, stored)
  const rows = stored.text.split('\n').flatMap((line) => decoder.decode(line) ?? [])
  const found = rows.filter((row) => 'step' in row && row.step === step)
  return found.length === 0 ? [] : [...rows.slice(0, 1), ...found]
}
