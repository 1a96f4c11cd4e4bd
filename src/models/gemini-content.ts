import { readAnswer } from './answer-body.ts'
import type { Dialect, RenameToolCall } from './dialect.ts'
import { readGeminiAnswer } from './gemini-content/answer.ts'
import { readGeminiRequest } from './gemini-content/request.ts'
import { makeGeminiAnswer } from './gemini-content/respond.ts'
import { isRecord, recordOf, textOf } from './json-fields.ts'
import { asBody, COMMON_PARTS, requestPartOf } from './request-part.ts'

const FIELDS = {
  conversation: 'contents',
  parts: new Map([
    ...COMMON_PARTS,
    ['systemInstruction', 'system-prompt'],
    ['system_instruction', 'system-prompt'],
    ['cachedContent', 'messages'],
    ['cached_content', 'messages'],
    asBody('labels'),
  ] as const),
}

/**
 * Gemini's `generateContent` and `streamGenerateContent`, at Google AI and on Vertex. The model is named in the address.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const geminiContent: Dialect = {
  name: 'gemini.content',
  request: readGeminiRequest,
  requestPart: (path, recorded, live) => requestPartOf(FIELDS, path, recorded, live),
  renameToolCalls: (json, rename) => {
    const record = recordOf(json)
    if (!Array.isArray(record['contents'])) return json
    return { ...record, contents: record['contents'].map((content) => renameInContent(content, rename)) }
  },
  answer: (body, contentType) => readAnswer(body, contentType, readGeminiAnswer),
  respond: makeGeminiAnswer,
}

function renameInContent(content: unknown, rename: RenameToolCall): unknown {
  if (!isRecord(content) || !Array.isArray(content['parts'])) return content
  return { ...content, parts: content['parts'].map((part) => renameInPart(part, rename)) }
}

/** Ids are optional here: many a client leaves them out, and then results stand in the order of their calls. */
function renameInPart(part: unknown, rename: RenameToolCall): unknown {
  if (!isRecord(part)) return part
  const renamed = { ...part }
  for (const [names, of] of ID_FIELDS) {
    for (const name of names) {
      const id = textOf(recordOf(part[name])['id'])
      if (id !== undefined) renamed[name] = { ...recordOf(part[name]), id: rename(of, id) }
    }
  }
  return renamed
}

const ID_FIELDS = [
  [['functionCall', 'function_call'], 'call'],
  [['functionResponse', 'function_response'], 'result'],
] as const
