import type { NormalMessage, NormalPart, NormalRequest, NormalTool, NormalToolCall, NormalToolResult } from '../dialect.ts'
import { fieldsBut, recordOf, recordsOf, someOf, textOf, type JsonRecord } from '../json-fields.ts'
import { providerOf } from '../provider.ts'
import { modelInPath, urlPath } from '../url-path.ts'
import { withoutUndefined } from '../without-undefined.ts'

const OWN_FIELDS = ['system', 'messages', 'toolConfig', 'inferenceConfig']

/** Reads the body of a Converse request. What stands in `inferenceConfig` is sampling, as are the fields beside it. */
export function readConverseRequest(json: unknown, url: string): NormalRequest {
  const record = recordOf(json)
  const { tools, ...toolConfig } = recordOf(record['toolConfig'])
  return {
    provider: providerOf(url),
    model: modelInPath(url),
    stream: urlPath(url).endsWith('-stream'),
    sampling: { ...fieldsBut(record, OWN_FIELDS), ...recordOf(record['inferenceConfig']), ...toolConfig },
    system: recordsOf(record['system']).flatMap((block) => textOf(block['text']) ?? []),
    messages: recordsOf(record['messages']).flatMap(readMessage),
    tools: recordsOf(tools).flatMap(readTool),
  }
}

/** One message of what was said, and one for each tool result. */
function readMessage(message: JsonRecord): readonly NormalMessage[] {
  const blocks = recordsOf(message['content'])
  const said = blocks.filter((block) => block['toolResult'] === undefined)
  const results = blocks.filter((block) => block['toolResult'] !== undefined).map((block) => readResult(recordOf(block['toolResult'])))
  return said.length > 0 || results.length === 0 ? [...results, readSaid(message['role'], said)] : results
}

function readSaid(role: unknown, blocks: readonly JsonRecord[]): NormalMessage {
  const calls = blocks.filter(isToolUse).map(({ toolUse }) => readToolUse(recordOf(toolUse)))
  const { text, parts } = readContent(blocks.filter((block) => !isToolUse(block)))
  return withoutUndefined<NormalMessage>({
    role: role === 'assistant' ? 'assistant' : 'user',
    text,
    toolCalls: someOf(calls),
    parts: someOf(parts),
  })
}

function readResult(result: JsonRecord): NormalMessage {
  const { text, parts } = readContent(recordsOf(result['content']))
  const isError = result['status'] === 'error' ? true : undefined
  return withoutUndefined<NormalMessage>({
    role: 'tool',
    text,
    toolResult: withoutUndefined<NormalToolResult>({ id: textOf(result['toolUseId']), text, isError }),
    parts: someOf(parts),
  })
}

/** A block is called by its only field. The JSON of a tool result is its text. */
function readContent(blocks: readonly JsonRecord[]): { readonly text: string; readonly parts: readonly NormalPart[] } {
  let text = ''
  const parts: NormalPart[] = []
  for (const block of blocks) {
    if (typeof block['text'] === 'string') text += block['text']
    else if (block['json'] !== undefined) text += JSON.stringify(block['json'])
    else parts.push({ kind: Object.keys(block)[0] ?? 'unknown', value: block })
  }
  return { text, parts }
}

function isToolUse(block: JsonRecord): boolean {
  return block['toolUse'] !== undefined
}

function readToolUse({ toolUseId, name, input }: JsonRecord): NormalToolCall {
  return withoutUndefined<NormalToolCall>({ id: textOf(toolUseId), name: textOf(name) ?? '', args: input ?? {} })
}

/** A mark of what is to be cached stands among the tools as well. */
function readTool(tool: JsonRecord): NormalTool | [] {
  if (tool['cachePoint'] !== undefined) return []
  const [kind = '', declared] = Object.entries(tool)[0] ?? []
  const { name, description, inputSchema, ...settings } = recordOf(declared)
  return withoutUndefined<NormalTool>({
    name: textOf(name) ?? kind,
    description: textOf(description),
    schema: recordOf(inputSchema)['json'],
    settings: Object.keys(settings).length > 0 ? settings : undefined,
  })
}
