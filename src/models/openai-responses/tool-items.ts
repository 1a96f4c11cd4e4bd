import type { NormalToolCall } from '../dialect.ts'
import { textOf, type JsonRecord } from '../json-fields.ts'
import { parseArguments } from '../tool-arguments.ts'
import { withoutUndefined } from '../without-undefined.ts'

/** The built-in tools that the agent's side runs, by the type of their calls: what they are called, and the field with their arguments. */
const BUILT_IN = new Map<unknown, readonly [name: string, field: string]>([
  ['computer_call', ['computer', 'action']],
  ['local_shell_call', ['local_shell', 'action']],
  ['shell_call', ['shell', 'action']],
  ['apply_patch_call', ['apply_patch', 'operation']],
])

/** Whether an item is a tool call that the agent has to run. Web and file searches, code interpreter and MCP calls run at the provider. */
export function isToolCall(item: JsonRecord): boolean {
  const type = item['type']
  return type === 'function_call' || type === 'custom_tool_call' || BUILT_IN.has(type)
}

/** Whether an item tells the model the result of a tool call. */
export function isToolResult(item: JsonRecord): boolean {
  return textOf(item['call_id']) !== undefined && /_(?:call|tool_call)_output$/.test(String(item['type']))
}

/** Reads an item for which `isToolCall` holds. A custom tool's input is free text. */
export function readToolItem(item: JsonRecord): NormalToolCall {
  const id = textOf(item['call_id'])
  const builtIn = BUILT_IN.get(item['type'])
  if (builtIn !== undefined)
    return withoutUndefined<NormalToolCall>({ id, name: builtIn[0], args: item[builtIn[1]] ?? item['actions'] ?? {} })
  const name = textOf(item['name']) ?? ''
  const argsText = textOf(item['arguments']) ?? textOf(item['input']) ?? ''
  return withoutUndefined<NormalToolCall>({
    id,
    name,
    args: item['type'] === 'custom_tool_call' ? argsText : parseArguments(argsText),
    argsText,
  })
}
