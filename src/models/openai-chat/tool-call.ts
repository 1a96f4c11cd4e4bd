import type { NormalToolCall } from '../dialect.ts'
import { recordOf, textOf, type JsonRecord } from '../json-fields.ts'
import { parseArguments } from '../tool-arguments.ts'
import { withoutUndefined } from '../without-undefined.ts'

/**
 * Reads a tool call of a message: a function's, with arguments as JSON text (Mistral's may be parsed), or a custom tool's, whose input is
 * free text.
 */
export function readChatToolCall(call: JsonRecord): NormalToolCall {
  const id = textOf(call['id'])
  const custom = recordOf(call['custom'])
  const input = custom['input']
  if (typeof input === 'string')
    return withoutUndefined<NormalToolCall>({ id, name: textOf(custom['name']) ?? '', args: input, argsText: input })
  const called = recordOf(call['function'])
  const argsText = typeof called['arguments'] === 'string' ? called['arguments'] : undefined
  const args = argsText === undefined ? (called['arguments'] ?? {}) : parseArguments(argsText)
  return withoutUndefined<NormalToolCall>({ id, name: textOf(called['name']) ?? '', args, argsText })
}
