import { asWritten } from '../../trace/as-written.ts'
import { createDecoder } from '../../trace/codec/decoder.ts'
import type { Row } from '../../trace/rows.ts'
import type { StoredTrace } from '../trace-store.ts'

/** The header of a recording and the call of a step that only its journal has; empty if there is no such step. */
export function readJournalStep(stored: StoredTrace | undefined, step: number): Row[] {
  const decoder = createDecoder(asWritten, stored)
  const rows = (stored?.text ?? '').split('\n').flatMap((line) => decoder.decode(line) ?? [])
  const found = rows.filter((row) => 'step' in row && row.step === step)
  return found.length === 0 ? [] : [...rows.slice(0, 1), ...found]
}
