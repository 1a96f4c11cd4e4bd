import type { CheckedRow, TraceCheck } from './trace-check.ts'
import type { EncodedRow } from './codec/encoded-rows.ts'
import { isJsonObject, type Json, preview } from './json.ts'

/**
 * Accepts a row as its recorder wrote it, without checking. For looking through recordings of a store, not for replaying them: a recording server
 * then needs no schema in its bundle.
 */
export const asWritten: TraceCheck = { row: checkWritten, value: () => undefined }

function checkWritten(json: Json): CheckedRow {
  if (!isJsonObject(json) || typeof json['kind'] !== 'string')
    return { fault: { problem: `a row has to be an object with a kind, got ${preview(json)}` } }
  const field = json['kind'] === 'run' ? headerFields.find((name) => typeof json[name] !== 'string') : undefined
  if (field !== undefined)
    return { fault: { problem: `"${field}" of a run row has to be text, got ${preview(json[field] ?? null)}`, field } }
  return { row: json as unknown as EncodedRow }
}

/** The fields by which runs are looked up. */
const headerFields = ['id', 'traceId', 'agent', 'startedAt'] as const
