import { textOf } from '../json-fields.ts'
import { isInstruction } from '../request-part.ts'
import { instructionInTheWay, itemsOf, replaceInstructions, withField, withFields } from './edit-fields.ts'
import { editModel } from './edit-model.ts'
import type { OpenRequest, RequestPlaces } from './request-editor.ts'
import { ownFields } from '../own-fields.ts'

/**
 * The places of a responses request: its system prompt is `instructions`, or an item of the input.
 *
 * @note Instructions are sent with each response, but instructing items of the input stay in a stored conversation.
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export const responsesPlaces: RequestPlaces = {
  blocked(part, request) {
    const kept = keptAtProvider(request)
    if (part === 'messages') return kept
    if (part !== 'system') return undefined
    return (textOf(request.body['instructions']) === undefined ? kept : undefined) ?? instructionInTheWay(request.body['input'])
  },
  system(body, text) {
    const { instructions, input } = body
    const isInInput = textOf(instructions) === undefined && itemsOf(input).some(isInstruction)
    if (isInInput) return { ...body, input: replaceInstructions(itemsOf(input), text) }
    if (textOf(instructions) === undefined && text === '') return body
    const rest = Array.isArray(input) ? { ...body, input: replaceInstructions(input, '') } : body
    return withField(rest, 'instructions', textOf(text))
  },
  messages(body, messages) {
    const items = messages.map(({ role, text }) => ({ role, content: text }))
    const isTextEnough = typeof body['input'] === 'string' && messages.length === 1 && messages[0]?.role === 'user'
    return { ...body, input: isTextEnough ? messages[0]?.text : [...itemsOf(body['input']).filter(isInstruction), ...items] }
  },
  model: editModel,
  sampling: withFields,
  ownFields: ownFields.responses,
}

function keptAtProvider({ body }: OpenRequest): string | undefined {
  if (body['prompt'] !== undefined && body['prompt'] !== null) return 'it uses a prompt stored at the provider ("prompt")'
  const field = ['previous_response_id', 'conversation'].find((name) => body[name] !== undefined && body[name] !== null)
  return field === undefined ? undefined : `it continues a conversation stored at the provider ("${field}")`
}
