import { readAnthropicAnswer } from './anthropic-messages/answer.ts'
import { readAnthropicRequest } from './anthropic-messages/request.ts'
import { makeAnthropicAnswer } from './anthropic-messages/respond.ts'
import type { Dialect, RenameToolCall } from './dialect.ts'
import { isRecord, recordOf, textOf } from './json-fields.ts'
import { asBody, COMMON_PARTS, requestPartOf } from './request-part.ts'
import { urlPath } from './url-path.ts'

const BODY_FIELDS = ['anthropic_version', 'anthropic_beta', 'betas', 'diagnostics', 'inference_geo', 'user_profile_id', 'workspace_id']

const FIELDS = {
  conversation: 'messages',
  parts: new Map([...COMMON_PARTS, ['system', 'system-prompt'], ...BODY_FIELDS.map(asBody)] as const),
}

/** Vonage sends text messages to `/v1/messages`: a write that must not pass for a model call. */
const OTHERS = /^https?:\/\/[^/]*\b(?:nexmo|vonage)\.com[:/]/

/**
 * Anthropic's messages, and the providers that speak it under a prefix (DeepSeek, OpenRouter, Azure).
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
export const anthropicMessages: Dialect = {
  name: 'anthropic.messages',
  recognise: (method, url) => method === 'POST' && urlPath(url).endsWith('/v1/messages') && !OTHERS.test(url),
  request: readAnthropicRequest,
  requestPart: (path, recorded, live) => requestPartOf(FIELDS, path, recorded, live),
  renameToolCalls: (json, rename) => {
    const record = recordOf(json)
    if (!Array.isArray(record['messages'])) return json
    return { ...record, messages: record['messages'].map((message) => renameInMessage(message, rename)) }
  },
  answer: readAnthropicAnswer,
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
