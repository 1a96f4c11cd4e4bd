import { readAnthropicAnswer } from './anthropic-messages/answer.ts'
import { readAnthropicRequest } from './anthropic-messages/request.ts'
import { makeAnthropicAnswer } from './anthropic-messages/respond.ts'
import { readAnswer } from './answer-body.ts'
import type { Dialect, RenameToolCall } from './dialect.ts'
import { isRecord, recordOf, textOf } from './json-fields.ts'
import { asBody, COMMON_PARTS, requestPartOf } from './request-part.ts'

const BODY_FIELDS = ['anthropic_version', 'anthropic_beta', 'betas', 'diagnostics', 'inference_geo', 'user_profile_id', 'workspace_id']

const FIELDS = {
  conversation: 'messages',
  parts: new Map([...COMMON_PARTS, ['system', 'system-prompt'], ...BODY_FIELDS.map(asBody)] as const),
}

/**
 * Anthropic's messages, the providers that speak it under a prefix (DeepSeek, OpenRouter, Azure), and Claude on Vertex (`rawPredict`).
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
export const anthropicMessages: Dialect = {
  name: 'anthropic.messages',
  request: readAnthropicRequest,
  requestPart: (path, recorded, live) => requestPartOf(FIELDS, path, recorded, live),
  renameToolCalls: (json, rename) => {
    const record = recordOf(json)
    if (!Array.isArray(record['messages'])) return json
    return { ...record, messages: record['messages'].map((message) => renameInMessage(message, rename)) }
  },
  answer: (body, contentType) => readAnswer(body, contentType, readAnthropicAnswer),
  respond: makeAnthropicAnswer,
}

function renameInMessage(message: unknown, rename: RenameToolCall): unknown {
  if (!isRecord(message) || !Array.isArray(message['content'])) return message
  return { ...message, content: message['content'].map((block) => renameInBlock(block, rename)) }
}

/** Calls that the provider runs itself have ids and results of the same shape. */
function renameInBlock(block: unknown, rename: RenameToolCall): unknown {
  if (!isRecord(block)) return block
  const answered = textOf(block['tool_use_id'])
  if (answered !== undefined) return { ...block, tool_use_id: rename('result', answered) }
  const id = textOf(block['id'])
  return id !== undefined && String(block['type']).endsWith('tool_use') ? { ...block, id: rename('call', id) } : block
}
