import type { EncodedRow } from './codec/encoded-rows.ts'
import { isJsonObject, type Json, type PathKey, preview } from './json.ts'
import type { Misfit } from './misfit.ts'
import { toPath } from './path.ts'
import { rowChecks, valueChecks } from './row-check.ts'
import type { CheckedRow, RowFault, TraceCheck, ValueForm } from './trace-check.ts'
import { toRecorded } from './values.ts'

/** Checks everything: the trace may come from anywhere. */
export const checked: TraceCheck = { row: checkRow, value: checkValue }

function checkValue(form: ValueForm, value: unknown, keys: readonly PathKey[], kind: string): RowFault | undefined {
  const misfit = valueChecks[form](value as Json)
  if (misfit === undefined) return undefined
  const got = misfit.got === undefined ? undefined : toRecorded(misfit.got)
  return toFault({ ...misfit, got, keys: [...keys, ...misfit.keys] }, kind)
}

/** Checks a parsed line of a trace: all its fields, but not yet its references. */
export function checkRow(json: Json): CheckedRow {
  if (!isJsonObject(json)) return { fault: { problem: `a row has to be an object, got ${preview(json)}` } }
  const kind = json['kind']
  const check = typeof kind === 'string' ? rowChecks.get(kind) : undefined
  if (typeof kind !== 'string' || check === undefined) return { fault: faultOfKind(kind) }
  const misfit = check(json)
  if (misfit !== undefined) return { fault: toFault(misfit, kind) }
  const row = json as EncodedRow
  const problem = findBodyProblem(row)
  return problem === undefined ? { row } : { fault: { problem } }
}

function faultOfKind(kind: Json | undefined): RowFault {
  const problem = kind === undefined ? 'the row has no "kind"' : `there is no row of kind ${preview(kind)}`
  return { problem: `${problem}: it has to be one of ${[...rowChecks.keys()].join(', ')}`, field: 'kind' }
}

function toFault({ keys, expected, got }: Misfit, kind: string): RowFault {
  const row = `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} row`
  const field = toPath(keys, '')
  if (expected === undefined) return { problem: `${row} has no field "${field}"`, field }
  if (got === undefined) return { problem: `"${field}" of ${row} is missing: it has to be ${expected}`, field }
  return { problem: `"${field}" of ${row} has to be ${expected}, got ${preview(got)}`, field }
}

/** Checks what the schema cannot express: which fields exclude one another. Returns a sentence without its full stop, or undefined. */
export function findBodyProblem(row: EncodedRow): string | undefined {
  if (row.kind === 'chunk' && count(row.text) + count(row.bytes) + count(row.length) !== 1) {
    return 'a chunk row has to have exactly one of "text", "bytes" and "length"'
  }
  if (row.kind === 'end' && row.output !== undefined && row.error !== undefined) return 'an end row cannot have both "output" and "error"'
  return undefined
}

function count(part: unknown): number {
  return part === undefined ? 0 : 1
}
