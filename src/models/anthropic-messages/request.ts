import type { NormalMessage, NormalPart, NormalRequest, NormalTool, NormalToolCall, NormalToolResult } from '../dialect.ts'
import { fieldsBut, recordOf, recordsOf, someOf, textOf, type JsonRecord } from '../json-fields.ts'
import { providerOf } from '../provider.ts'
import { isInstruction } from '../request-part.ts'
import { modelInPath, urlPath } from '../url-path.ts'
import { withoutUndefined } from '../without-undefined.ts'

const OWN_FIELDS = ['model', 'system', 'messages', 'tools', 'stream']

/**
 * Reads the body of a messages request. Tool results, which stand within user messages, become messages of their own. On Vertex the address
 * names the model, and that it is a stream.
 */
export function readAnthropicRequest(json: unknown, url: string): NormalRequest {
  const record = recordOf(json)
  const messages = recordsOf(record['messages'])
  return {
    provider: providerOf(url),
    model: textOf(record['model']) ?? modelInPath(url),
    stream: record['stream'] === true || urlPath(url).endsWith(':streamRawPredict'),
    sampling: fieldsBut(record, OWN_FIELDS),
    system: [record['system'], ...messages.filter(isInstruction).map(({ content }) => content)].flatMap(textsOf),
    messages: messages.filter((message) => !isInstruction(message)).flatMap(readMessage),
    tools: recordsOf(record['tools']).map(readTool),
  }
}

/** Each block of a system prompt is one. */
function textsOf(content: unknown): readonly string[] {
  return blocksOf(content).map((block) => textOf(block['text']) ?? '')
}

/** Text alone is short for one block of text. */
function blocksOf(content: unknown): readonly JsonRecord[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content)
}

function readMessage(message: JsonRecord): readonly NormalMessage[] {
  if (message['role'] === 'assistant') return [readAssistant(blocksOf(message['content']))]
  const messages: NormalMessage[] = []
  let said: JsonRecord[] = []
  const endSaid = (): void => {
    if (said.length > 0) messages.push(readSaid(said))
    said = []
  }
  for (const block of blocksOf(message['content'])) {
    if (block['type'] !== 'tool_result') {
      said.push(block)
      continue
    }
    endSaid()
    messages.push(readToolResult(block))
  }
  endSaid()
  return messages
}

function readAssistant(blocks: readonly JsonRecord[]): NormalMessage {
  const calls = blocks.filter(isToolUse).map(readToolUse)
  const { text, parts } = readContent(blocks.filter((block) => !isToolUse(block)))
  return withoutUndefined<NormalMessage>({ role: 'assistant', text, toolCalls: someOf(calls), parts: someOf(parts) })
}

function readSaid(blocks: readonly JsonRecord[]): NormalMessage {
  const { text, parts } = readContent(blocks)
  return withoutUndefined<NormalMessage>({ role: 'user', text, parts: someOf(parts) })
}

function readToolResult(block: JsonRecord): NormalMessage {
  const { text, parts } = readContent(blocksOf(block['content']))
  const isError = block['is_error'] === true ? true : undefined
  return withoutUndefined<NormalMessage>({
    role: 'tool',
    text,
    toolResult: withoutUndefined<NormalToolResult>({ id: textOf(block['tool_use_id']), text, isError }),
    parts: someOf(parts),
  })
}

function readContent(blocks: readonly JsonRecord[]): { readonly text: string; readonly parts: readonly NormalPart[] } {
  return {
    text: blocks
      .filter(isText)
      .map((block) => textOf(block['text']) ?? '')
      .join(''),
    parts: blocks.filter((block) => !isText(block)).map((block) => ({ kind: textOf(block['type']) ?? 'unknown', value: block })),
  }
}

function isText(block: JsonRecord): boolean {
  return block['type'] === 'text'
}

function isToolUse(block: JsonRecord): boolean {
  return block['type'] === 'tool_use'
}

function readToolUse(block: JsonRecord): NormalToolCall {
  return withoutUndefined<NormalToolCall>({ id: textOf(block['id']), name: textOf(block['name']) ?? '', args: block['input'] ?? {} })
}

function readTool(tool: JsonRecord): NormalTool {
  const settings = fieldsBut(tool, ['name', 'description', 'input_schema'])
  return withoutUndefined<NormalTool>({
    name: textOf(tool['name']) ?? textOf(tool['type']) ?? '',
    description: textOf(tool['description']),
    schema: tool['input_schema'],
    settings: Object.keys(settings).length > 0 ? settings : undefined,
  })
}
