import type { SaidMessage } from '../dialect.ts'
import type { JsonRecord } from '../json-fields.ts'
import { isInstruction } from '../request-part.ts'
import { instructionInTheWay, itemsOf, replaceInstructions, withFields, withNestedFields } from './edit-fields.ts'
import { editModel } from './edit-model.ts'
import type { RequestPlaces } from './request-editor.ts'
import { ownFields } from '../own-fields.ts'

/**
 * The places of a chat completion request: its system prompts are messages.
 *
 * @note A new system prompt has the role `system`: OpenAI's newer models read it as `developer`, and other providers know no other role.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export const chatPlaces: RequestPlaces = {
  blocked: (part, { body }) => (part === 'system' ? instructionInTheWay(body['messages']) : undefined),
  system(body, text) {
    const list = itemsOf(body['messages'])
    if (list.some(isInstruction)) return { ...body, messages: replaceInstructions(list, text) }
    return text === '' ? body : { ...body, messages: [{ role: 'system', content: text }, ...list] }
  },
  messages: (body, messages) => ({ ...body, messages: [...itemsOf(body['messages']).filter(isInstruction), ...messages.map(toChat)] }),
  model: editModel,
  sampling: withFields,
  ownFields: ownFields.chat,
}

/**
 * The places of a request to Ollama: like a chat completion's, with most of the sampling in `options`.
 *
 * @see https://docs.ollama.com/api/chat
 */
export const ollamaPlaces: RequestPlaces = {
  ...chatPlaces,
  sampling: (body, fields) => withNestedFields(body, fields, 'options', OUTSIDE_OPTIONS),
  ownFields: ownFields.ollama,
}

const OUTSIDE_OPTIONS = ['format', 'keep_alive', 'think', 'logprobs', 'top_logprobs', 'truncate', 'shift']

function toChat({ role, text }: SaidMessage): JsonRecord {
  return { role, content: text }
}
