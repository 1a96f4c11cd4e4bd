import type { NormalMessage, NormalPart, NormalRequest, NormalTool, NormalToolCall, NormalToolResult } from '../dialect.ts'
import { fieldsBut, isRecord, recordOf, recordsOf, someOf, textOf, type JsonRecord } from '../json-fields.ts'
import { providerOf } from '../provider.ts'
import { isInstruction } from '../request-part.ts'
import { modelInPath } from '../url-path.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { readChatToolCall } from './tool-call.ts'

const OWN_FIELDS = ['model', 'messages', 'tools', 'functions', 'stream']

/** Reads the body of a chat completion request. Azure's may name its model in the URL only, as a deployment. */
export function readChatRequest(json: unknown, url: string): NormalRequest {
  const record = recordOf(json)
  const messages = recordsOf(record['messages'])
  return {
    provider: providerOf(url),
    model: textOf(record['model']) ?? modelInPath(url),
    stream: record['stream'] === true,
    sampling: fieldsBut(record, OWN_FIELDS),
    system: messages.filter(isInstruction).map(({ content }) => readContent(content).text),
    messages: messages.filter((message) => !isInstruction(message)).map(readMessage),
    tools: [...recordsOf(record['tools']).map(readTool), ...recordsOf(record['functions']).map((declared) => readFunction(declared, {}))],
  }
}

function readMessage(message: JsonRecord): NormalMessage {
  const { text, parts } = readContent(message['content'])
  const role = message['role']
  if (role === 'tool' || role === 'function') {
    return withoutUndefined<NormalMessage>({
      role: 'tool',
      text,
      toolResult: withoutUndefined<NormalToolResult>({ id: textOf(message['tool_call_id']), text }),
      parts: someOf(parts),
    })
  }
  if (role !== 'assistant') return withoutUndefined<NormalMessage>({ role: 'user', text, parts: someOf(parts) })
  const reasoning = textOf(message['reasoning_content']) ?? textOf(message['reasoning'])
  const allParts: NormalPart[] = reasoning === undefined ? parts : [{ kind: 'reasoning', value: reasoning }, ...parts]
  return withoutUndefined<NormalMessage>({ role, text, toolCalls: someOf(readToolCalls(message)), parts: someOf(allParts) })
}

function readToolCalls(message: JsonRecord): readonly NormalToolCall[] {
  const calls = recordsOf(message['tool_calls']).map(readChatToolCall)
  return isRecord(message['function_call']) ? [...calls, readChatToolCall({ function: message['function_call'] })] : calls
}

function readContent(content: unknown): { readonly text: string; readonly parts: NormalPart[] } {
  if (typeof content === 'string') return { text: content, parts: [] }
  let text = ''
  const parts: NormalPart[] = []
  for (const part of recordsOf(content)) {
    if (part['type'] === 'text') text += textOf(part['text']) ?? ''
    else parts.push({ kind: textOf(part['type']) ?? 'unknown', value: part })
  }
  return { text, parts }
}

function readTool(tool: JsonRecord): NormalTool {
  const type = textOf(tool['type']) ?? 'function'
  const declared = tool[type]
  if ((type === 'function' || type === 'custom') && isRecord(declared)) return readFunction(declared, fieldsBut(tool, ['type', type]))
  return { name: textOf(tool['name']) ?? type, settings: fieldsBut(tool, ['name']) }
}

function readFunction(declared: JsonRecord, around: JsonRecord): NormalTool {
  const settings = { ...fieldsBut(declared, ['name', 'description', 'parameters', 'format']), ...around }
  return withoutUndefined<NormalTool>({
    name: textOf(declared['name']) ?? '',
    description: textOf(declared['description']),
    schema: declared['parameters'] ?? declared['format'],
    settings: Object.keys(settings).length > 0 ? settings : undefined,
  })
}
