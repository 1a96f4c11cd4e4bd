import type { EncodedRow } from './codec/encoded-rows.ts'
import type { TraceFormatFault } from './errors/trace-format-error.ts'
import type { Json, PathKey } from './json.ts'

/** The problem of a row, and the field that has it. */
export type RowFault = Pick<TraceFormatFault, 'problem' | 'field'>

/** A row that is valid for its kind, or the row's fault. */
export type CheckedRow = { readonly row: EncodedRow; readonly fault?: never } | { readonly row?: never; readonly fault: RowFault }

/** A value with a form of its own, once its references are resolved. */
export type ValueForm = 'httpInput' | 'httpOutput' | 'headers' | 'preamble' | 'ambientAnswer' | ChunkForm

/** A chunk that is JSON, by its stream. */
export type ChunkForm = 'exit' | 'close' | 'answer' | 'metadata'

/** What is checked when a trace is read. */
export interface TraceCheck {
  /** Checks a parsed line: all its fields, but not yet its references. */
  row(json: Json): CheckedRow
  /** Checks a value in a row. @param keys The path of its field. @param kind The kind of the row. */
  value(form: ValueForm, value: unknown, keys: readonly PathKey[], kind: string): RowFault | undefined
}
