import type { NormalRequest } from '../dialect.ts'
import { fieldsBut, recordOf, recordsOf, type JsonRecord } from '../json-fields.ts'
import { readChatRequest } from '../openai-chat/request.ts'

/** Reads the body of a chat request: OpenAI's, but for images and thoughts. What stands in `options` is sampling, as are the fields beside it. */
export function readOllamaRequest(json: unknown, url: string): NormalRequest {
  const record = recordOf(json)
  const request = readChatRequest({ ...record, messages: recordsOf(record['messages']).map(toChatMessage) }, url)
  const sampling = { ...fieldsBut(request.sampling, ['options']), ...recordOf(record['options']) }
  return { ...request, stream: record['stream'] !== false, sampling }
}

/** Images stand beside the text. */
function toChatMessage(message: JsonRecord): JsonRecord {
  const { images, thinking, content, ...rest } = message
  const pictures = Array.isArray(images) ? images.map((value: unknown) => ({ type: 'image', image: value })) : []
  return {
    ...rest,
    content: pictures.length > 0 ? [{ type: 'text', text: content }, ...pictures] : content,
    ...(thinking !== undefined && { reasoning: thinking }),
  }
}
