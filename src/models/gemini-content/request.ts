import type { NormalMessage, NormalPart, NormalRequest, NormalTool, NormalToolResult } from '../dialect.ts'
import { fieldsBut, isRecord, recordOf, recordsOf, someOf, textOf, type JsonRecord } from '../json-fields.ts'
import { providerOf } from '../provider.ts'
import { modelInPath, urlPath } from '../url-path.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { fieldOf, spellings } from './fields.ts'
import { readFunctionCall } from './tool-call.ts'

const OWN_FIELDS = spellings(['model', 'systemInstruction', 'contents', 'tools', 'generationConfig'])

/** Reads the body of a `generateContent` request. What stands in `generationConfig` is sampling, as are the fields beside it. */
export function readGeminiRequest(json: unknown, url: string): NormalRequest {
  const record = recordOf(json)
  return {
    provider: providerOf(url),
    model: modelInPath(url),
    stream: urlPath(url).endsWith(':streamGenerateContent'),
    sampling: { ...fieldsBut(record, OWN_FIELDS), ...recordOf(fieldOf(record, 'generationConfig')) },
    system: partsOf(fieldOf(record, 'systemInstruction')).flatMap((part) => textOf(part['text']) ?? []),
    messages: contentsOf(record['contents']).flatMap(readContent),
    tools: recordsOf(record['tools']).flatMap(readTools),
  }
}

function contentsOf(contents: unknown): readonly JsonRecord[] {
  return isRecord(contents) ? [contents] : recordsOf(contents)
}

function partsOf(content: unknown): readonly JsonRecord[] {
  const parts = recordOf(content)['parts']
  return isRecord(parts) ? [parts] : recordsOf(parts)
}

/** One message of what was said, and one for each tool result. */
function readContent(content: JsonRecord): readonly NormalMessage[] {
  const isResult = (part: JsonRecord): boolean => fieldOf(part, 'functionResponse') !== undefined
  const parts = partsOf(content)
  const said = parts.filter((part) => !isResult(part))
  const results = parts.filter(isResult).map((part) => readResult(recordOf(fieldOf(part, 'functionResponse'))))
  return said.length > 0 || results.length === 0 ? [...results, readSaid(content['role'], said)] : results
}

function readSaid(role: unknown, parts: readonly JsonRecord[]): NormalMessage {
  const calls = parts.flatMap((part) => fieldOf(part, 'functionCall') ?? []).map(readFunctionCall)
  const others = parts.flatMap(readPart)
  return withoutUndefined<NormalMessage>({
    role: role === 'model' ? 'assistant' : 'user',
    text: parts.map((part) => (part['thought'] === true ? '' : (textOf(part['text']) ?? ''))).join(''),
    toolCalls: someOf(calls),
    parts: someOf(others),
  })
}

function readResult({ id, response }: JsonRecord): NormalMessage {
  const text = typeof response === 'string' ? response : (JSON.stringify(response) ?? '')
  return { role: 'tool', text, toolResult: withoutUndefined<NormalToolResult>({ id: textOf(id), text }) }
}

/** A part that is neither text nor a call is called by the field that says what it is. */
function readPart(part: JsonRecord): NormalPart | [] {
  if (part['thought'] === true) return { kind: 'thought', value: part }
  if (typeof part['text'] === 'string' || fieldOf(part, 'functionCall') !== undefined) return []
  const kind = Object.keys(part).find((name) => isRecord(part[name])) ?? 'unknown'
  return { kind, value: part }
}

/** One entry declares any number of functions, or is a tool of Google's own by its only field. */
function readTools(tool: JsonRecord): readonly NormalTool[] {
  const own = Object.entries(fieldsBut(tool, FUNCTIONS)).map(([name, value]): NormalTool => ({ name, settings: recordOf(value) }))
  return [...recordsOf(fieldOf(tool, 'functionDeclarations')).map(readFunction), ...own]
}

const FUNCTIONS = spellings(['functionDeclarations'])
const FUNCTION_FIELDS = spellings(['name', 'description', 'parameters', 'parametersJsonSchema'])

function readFunction(declared: JsonRecord): NormalTool {
  const settings = fieldsBut(declared, FUNCTION_FIELDS)
  return withoutUndefined<NormalTool>({
    name: textOf(declared['name']) ?? '',
    description: textOf(declared['description']),
    schema: declared['parameters'] ?? fieldOf(declared, 'parametersJsonSchema'),
    settings: Object.keys(settings).length > 0 ? settings : undefined,
  })
}
