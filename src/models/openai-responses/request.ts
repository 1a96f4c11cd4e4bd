import type { NormalMessage, NormalPart, NormalRequest, NormalTool, NormalToolCall, NormalToolResult } from '../dialect.ts'
import { fieldsBut, recordOf, recordsOf, someOf, textOf, type JsonRecord } from '../json-fields.ts'
import { providerOf } from '../provider.ts'
import { isInstruction } from '../request-part.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { isToolCall, isToolResult, readToolItem } from './tool-items.ts'

const OWN_FIELDS = ['model', 'instructions', 'input', 'tools', 'stream']

/** Reads the body of a responses request. Items that stand together and are the assistant's (reasoning, text, calls) make one message. */
export function readResponsesRequest(json: unknown, url: string): NormalRequest {
  const record = recordOf(json)
  const items = typeof record['input'] === 'string' ? [{ role: 'user', content: record['input'] }] : recordsOf(record['input'])
  const instructions = textOf(record['instructions'])
  const prompts = items.filter(isInstruction).map(({ content }) => readContent(content).text)
  return {
    provider: providerOf(url),
    model: textOf(record['model']) ?? '',
    stream: record['stream'] === true,
    sampling: fieldsBut(record, OWN_FIELDS),
    system: instructions === undefined ? prompts : [instructions, ...prompts],
    messages: readMessages(items.filter((item) => !isInstruction(item))),
    tools: recordsOf(record['tools']).map(readTool),
  }
}

/** An assistant's message while its items are being gathered. */
interface Turn {
  text: string
  readonly toolCalls: NormalToolCall[]
  readonly parts: NormalPart[]
}

function readMessages(items: readonly JsonRecord[]): readonly NormalMessage[] {
  const messages: NormalMessage[] = []
  let turn: Turn | undefined
  const endTurn = (): void => {
    if (turn !== undefined) messages.push(toMessage(turn))
    turn = undefined
  }
  for (const item of items) {
    const message = readOtherItem(item)
    if (message !== undefined) {
      endTurn()
      messages.push(message)
      continue
    }
    turn ??= { text: '', toolCalls: [], parts: [] }
    addToTurn(turn, item)
  }
  endTurn()
  return messages
}

function toMessage({ text, toolCalls, parts }: Turn): NormalMessage {
  return withoutUndefined<NormalMessage>({ role: 'assistant', text, toolCalls: someOf(toolCalls), parts: someOf(parts) })
}

/** Reads an item that is not the assistant's. */
function readOtherItem(item: JsonRecord): NormalMessage | undefined {
  if (isToolResult(item)) {
    const { text, parts } = readContent(item['output'])
    return withoutUndefined<NormalMessage>({
      role: 'tool',
      text,
      toolResult: withoutUndefined<NormalToolResult>({ id: textOf(item['call_id']), text }),
      parts: someOf(parts),
    })
  }
  if (item['role'] === undefined || item['role'] === 'assistant') return undefined
  const { text, parts } = readContent(item['content'])
  return withoutUndefined<NormalMessage>({ role: 'user', text, parts: someOf(parts) })
}

function addToTurn(turn: Turn, item: JsonRecord): void {
  if (isToolCall(item)) {
    turn.toolCalls.push(readToolItem(item))
  } else if (item['role'] === 'assistant') {
    const { text, parts } = readContent(item['content'])
    turn.text += text
    turn.parts.push(...parts)
  } else {
    turn.parts.push({ kind: textOf(item['type']) ?? 'unknown', value: item })
  }
}

function readContent(content: unknown): { readonly text: string; readonly parts: readonly NormalPart[] } {
  if (typeof content === 'string') return { text: content, parts: [] }
  let text = ''
  const parts: NormalPart[] = []
  for (const part of Array.isArray(content) ? recordsOf(content) : recordsOf([content])) {
    if (typeof part['text'] === 'string' && /^(?:input_|output_)?text$/.test(String(part['type']))) text += part['text']
    else parts.push({ kind: textOf(part['type']) ?? 'unknown', value: part })
  }
  return { text, parts }
}

function readTool(tool: JsonRecord): NormalTool {
  const settings = fieldsBut(tool, ['name', 'description', 'parameters', 'format', ...(tool['type'] === 'function' ? ['type'] : [])])
  return withoutUndefined<NormalTool>({
    name: textOf(tool['name']) ?? textOf(tool['type']) ?? '',
    description: textOf(tool['description']),
    schema: tool['parameters'] ?? tool['format'],
    settings: Object.keys(settings).length > 0 ? settings : undefined,
  })
}
