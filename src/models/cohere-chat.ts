import { readAnswer } from './answer-body.ts'
import { readCohereAnswer } from './cohere-chat/answer.ts'
import { readCohereRequest } from './cohere-chat/request.ts'
import { makeCohereAnswer } from './cohere-chat/respond.ts'
import type { Dialect } from './dialect.ts'
import { renameChatToolCalls } from './openai-chat.ts'
import { COMMON_PARTS, requestPartOf } from './request-part.ts'

const FIELDS = { conversation: 'messages', parts: new Map([...COMMON_PARTS, ['documents', 'messages']] as const) }

/**
 * Cohere's chat, version 2. Tool calls stand in messages as in OpenAI's chat completions.
 *
 * @see https://docs.cohere.com/reference/chat
 */
export const cohereChat: Dialect = {
  name: 'cohere.chat',
  request: readCohereRequest,
  requestPart: (path, recorded, live) => requestPartOf(FIELDS, path, recorded, live),
  renameToolCalls: renameChatToolCalls,
  answer: (body, contentType) => readAnswer(body, contentType, readCohereAnswer),
  respond: makeCohereAnswer,
}
