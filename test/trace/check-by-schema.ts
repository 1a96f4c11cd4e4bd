import type { core } from 'zod'

import type { CheckedRow, RowFault } from '../../src/trace/trace-check.ts'
import type { EncodedRow } from '../../src/trace/codec/encoded-rows.ts'
import { isJsonObject, preview, type Json } from '../../src/trace/json.ts'
import { toPath } from '../../src/trace/path.ts'
import { findBodyProblem } from '../../src/trace/check-row.ts'
import { ROW_KINDS, rowSchema } from '../../scripts/trace-schema.ts'

/** Checks a row as `checkRow` does, by zod itself: what the code that is written from the schema is held to. */
export function checkBySchema(json: Json): CheckedRow {
  if (!isJsonObject(json)) return { fault: { problem: `a row has to be an object, got ${preview(json)}` } }
  const kind = json['kind']
  if (typeof kind !== 'string' || !ROW_KINDS.includes(kind)) {
    const problem = kind === undefined ? 'the row has no "kind"' : `there is no row of kind ${preview(kind)}`
    return { fault: { problem: `${problem}: it has to be one of ${ROW_KINDS.join(', ')}`, field: 'kind' } }
  }
  const result = rowSchema.safeParse(json)
  const issue = result.error?.issues[0]
  // The row as it was parsed and not zod's copy of it, which lacks keys like `__proto__`.
  if (issue !== undefined) return { fault: toFault(issue, json, kind) }
  const row = json as EncodedRow
  const problem = findBodyProblem(row)
  return problem === undefined ? { row } : { fault: { problem } }
}

function toFault(issue: core.$ZodIssue, json: Json, kind: string): RowFault {
  const deepest = deepestOf(issue, json)
  const keys = deepest.path.map((key) => (typeof key === 'number' ? key : String(key)))
  const row = `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind} row`
  if (deepest.code === 'unrecognized_keys') {
    const field = toPath([...keys, ...deepest.keys.slice(0, 1)], '')
    return { problem: `${row} has no field "${field}"`, field }
  }
  const field = toPath(keys, '')
  const got = valueAt(json, keys)
  const expected = expectedBy(deepest)
  if (got === undefined) return { problem: `"${field}" of ${row} is missing: it has to be ${expected}`, field }
  return { problem: `"${field}" of ${row} has to be ${expected}, got ${preview(got)}`, field }
}

/**
 * Of a union's alternatives, the one that went furthest into the value says what is wrong. Where none did, or only to find that something is
 * missing, the value is of no alternative, and the union says so.
 */
function deepestOf(issue: core.$ZodIssue, json: Json): core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  let deepest: core.$ZodIssue = issue
  for (const alternative of issue.errors) {
    const first = alternative[0]
    if (first === undefined) continue
    const inner = deepestOf({ ...first, path: [...issue.path, ...first.path] }, json)
    if (inner.path.length > deepest.path.length && valueAt(json, inner.path) !== undefined) deepest = inner
  }
  return deepest
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'an array',
  tuple: 'a pair',
  object: 'an object',
  record: 'an object',
}

function expectedBy(issue: core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'a value'
    case 'invalid_value':
      return `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((allowed) => JSON.stringify(allowed)).join(', ')}`
    case 'too_small':
      return `at least ${issue.minimum}`
    case 'too_big':
      return `at most ${issue.maximum}`
    case 'invalid_key':
      return 'an object with other keys'
    default:
      return issue.message
  }
}

function valueAt(json: Json, keys: readonly PropertyKey[]): Json | undefined {
  let value: unknown = json
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value as Json
}
