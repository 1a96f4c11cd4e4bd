import type { NormalRequest } from '../dialect.ts'
import { recordOf, recordsOf, type JsonRecord } from '../json-fields.ts'
import { readChatRequest } from '../openai-chat/request.ts'

/** Reads the body of a chat request: OpenAI's, but for the plan before tool calls and for tool results that are documents. */
export function readCohereRequest(json: unknown, url: string): NormalRequest {
  const record = recordOf(json)
  return readChatRequest({ ...record, messages: recordsOf(record['messages']).map(toChatMessage) }, url)
}

function toChatMessage(message: JsonRecord): JsonRecord {
  const { tool_plan: plan, content, ...rest } = message
  const parts = Array.isArray(content) ? content.map(toChatPart) : content
  return { ...rest, content: parts, ...(plan !== undefined && { reasoning: plan }) }
}

function toChatPart(part: unknown): unknown {
  const data = recordOf(recordOf(part)['document'])['data']
  if (data === undefined) return part
  return { type: 'text', text: typeof data === 'string' ? data : JSON.stringify(data) }
}
