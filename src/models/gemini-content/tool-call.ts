import type { NormalToolCall } from '../dialect.ts'
import { recordOf, textOf } from '../json-fields.ts'
import { withoutUndefined } from '../without-undefined.ts'

/** Reads a `functionCall`. Its arguments are JSON, not text. */
export function readFunctionCall(call: unknown): NormalToolCall {
  const { id, name, args } = recordOf(call)
  return withoutUndefined<NormalToolCall>({ id: textOf(id), name: textOf(name) ?? '', args: args ?? {} })
}
