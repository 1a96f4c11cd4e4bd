import type { RowCheck } from './codec/decoder.ts'
import type { EncodedRow } from './codec/encoded-rows.ts'
import { isJsonObject, preview } from './json.ts'

/**
 * Takes a row for what its recorder wrote. For recordings of a store that are looked through, and not replayed: a server that records needs no schema,
 * which its bundle would have to carry.
 */
export const asWritten: RowCheck = (json) => {
  if (!isJsonObject(json) || typeof json['kind'] !== 'string')
    return { fault: { problem: `a row has to be an object with a kind, got ${preview(json)}` } }
  const field = json['kind'] === 'run' ? headerFields.find((name) => typeof json[name] !== 'string') : undefined
  if (field !== undefined)
    return { fault: { problem: `"${field}" of a run row has to be text, got ${preview(json[field] ?? null)}`, field } }
  return { row: json as unknown as EncodedRow }
}

/** What runs are looked for by. */
const headerFields = ['id', 'traceId', 'agent', 'startedAt'] as const
