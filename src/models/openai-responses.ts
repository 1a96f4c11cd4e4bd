import { readAnswer } from './answer-body.ts'
import type { Dialect, RenameToolCall } from './dialect.ts'
import { isRecord, recordOf, textOf } from './json-fields.ts'
import { readResponsesAnswer } from './openai-responses/answer.ts'
import { readResponsesRequest } from './openai-responses/request.ts'
import { makeResponsesAnswer } from './openai-responses/respond.ts'
import { isToolCall, isToolResult } from './openai-responses/tool-items.ts'
import { asBody, COMMON_PARTS, requestPartOf } from './request-part.ts'

const FIELDS = {
  conversation: 'input',
  parts: new Map([
    ...COMMON_PARTS,
    ['instructions', 'system-prompt'],
    ['prompt', 'system-prompt'],
    ['previous_response_id', 'messages'],
    ['conversation', 'messages'],
    ...['background', 'include', 'moderation', 'access_programs'].map(asBody),
  ] as const),
}

/**
 * OpenAI's responses, as OpenAI, Azure, DeepSeek and OpenRouter speak it.
 *
 * @see https://platform.openai.com/docs/api-reference/responses
 */
export const openaiResponses: Dialect = {
  name: 'openai.responses',
  request: readResponsesRequest,
  requestPart: (path, recorded, live) => requestPartOf(FIELDS, path, recorded, live),
  renameToolCalls: (json, rename) => {
    const record = recordOf(json)
    if (!Array.isArray(record['input'])) return json
    return { ...record, input: record['input'].map((item) => renameInItem(item, rename)) }
  },
  answer: (body, contentType) => readAnswer(body, contentType, readResponsesAnswer),
  respond: makeResponsesAnswer,
}

/** A call's item has an id of its own besides its `call_id`, made by the provider as well. */
function renameInItem(item: unknown, rename: RenameToolCall): unknown {
  const id = textOf(recordOf(item)['call_id'])
  if (!isRecord(item) || id === undefined) return item
  if (isToolResult(item)) return { ...item, call_id: rename('result', id) }
  if (!isToolCall(item)) return item
  const name = rename('call', id)
  return { ...item, call_id: name, ...(textOf(item['id']) !== undefined && { id: name }) }
}
