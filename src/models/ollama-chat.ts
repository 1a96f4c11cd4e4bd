import { readAnswer } from './answer-body.ts'
import type { Dialect } from './dialect.ts'
import { readOllamaAnswer } from './ollama-chat/answer.ts'
import { readOllamaRequest } from './ollama-chat/request.ts'
import { makeOllamaAnswer } from './ollama-chat/respond.ts'
import { renameChatToolCalls } from './openai-chat.ts'
import { asBody, COMMON_PARTS, requestPartOf } from './request-part.ts'

const FIELDS = { conversation: 'messages', parts: new Map([...COMMON_PARTS, asBody('keep_alive')]) }

/**
 * Ollama's own chat. A stream is JSON lines, and what is sent unless a request asks for none.
 *
 * @see https://docs.ollama.com/api/chat
 */
export const ollamaChat: Dialect = {
  name: 'ollama.chat',
  request: readOllamaRequest,
  requestPart: (path, recorded, live) => requestPartOf(FIELDS, path, recorded, live),
  renameToolCalls: renameChatToolCalls,
  answer: (body, contentType) => readAnswer(body, contentType, readOllamaAnswer),
  respond: makeOllamaAnswer,
}
