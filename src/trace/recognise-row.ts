import type { RowCheck } from './codec/decoder.ts'
import type { EncodedRow } from './codec/encoded-rows.ts'
import { type Fits, type Shape, toFits } from './fits-shape.ts'
import { isJsonObject } from './json.ts'
import { findBodyProblem } from './row-body.ts'
import shape from './row-shape.json' with { type: 'json' }

/**
 * Recognises a row without its schema, whose library takes longer to load than a test file may. It never takes for a row what the schema
 * refuses; what it does not recognise may still be one, and what is wrong with it only the schema says (`checkRow`).
 */
export const recogniseRow: RowCheck = (json) => {
  const kind = isJsonObject(json) ? json['kind'] : undefined
  const fits = typeof kind === 'string' ? fitsOf(kind) : undefined
  const row = json as EncodedRow
  if (fits?.(json) === true && findBodyProblem(row) === undefined) return { row }
  return { fault: { problem: 'the row is not recognised' } }
}

const shapes = new Map<string, Shape>(shape.oneOf.map((each) => [each.properties.kind.const, each]))
const made = new Map<string, Fits>()

function fitsOf(kind: string): Fits | undefined {
  const known = made.get(kind)
  const rowShape = shapes.get(kind)
  if (known !== undefined || rowShape === undefined) return known
  const fits = toFits(rowShape, shape.$defs)
  made.set(kind, fits)
  return fits
}
