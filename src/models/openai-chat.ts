import { readAnswer } from './answer-body.ts'
import type { Dialect, RenameToolCall } from './dialect.ts'
import { isRecord, recordOf, textOf } from './json-fields.ts'
import { readChatAnswer } from './openai-chat/answer.ts'
import { readChatRequest } from './openai-chat/request.ts'
import { makeChatAnswer } from './openai-chat/respond.ts'
import { asBody, COMMON_PARTS, requestPartOf } from './request-part.ts'

const FIELDS = { conversation: 'messages', parts: new Map([...COMMON_PARTS, asBody('moderation')]) }

/**
 * OpenAI's chat completions, and the many providers that speak it (Groq, Mistral, DeepSeek, Together, OpenRouter, Cerebras, xAI, Azure).
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export const openaiChat: Dialect = {
  name: 'openai.chat',
  request: readChatRequest,
  requestPart: (path, recorded, live) => requestPartOf(FIELDS, path, recorded, live),
  renameToolCalls: renameChatToolCalls,
  answer: (body, contentType) => readAnswer(body, contentType, readChatAnswer),
  respond: makeChatAnswer,
}

/** Renames the ids of tool calls in messages, which others have in this shape as well. */
export function renameChatToolCalls(json: unknown, rename: RenameToolCall): unknown {
  const record = recordOf(json)
  if (!Array.isArray(record['messages'])) return json
  return { ...record, messages: record['messages'].map((message) => renameInMessage(message, rename)) }
}

function renameInMessage(message: unknown, rename: RenameToolCall): unknown {
  if (!isRecord(message)) return message
  const result = textOf(message['tool_call_id'])
  if (result !== undefined) return { ...message, tool_call_id: rename('result', result) }
  if (!Array.isArray(message['tool_calls'])) return message
  return {
    ...message,
    tool_calls: message['tool_calls'].map((call: unknown) => {
      const id = textOf(recordOf(call)['id'])
      return id === undefined ? call : { ...recordOf(call), id: rename('call', id) }
    }),
  }
}
