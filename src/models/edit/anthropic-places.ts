import { type JsonRecord, recordsOf } from '../json-fields.ts'
import { isInstruction } from '../request-part.ts'
import { chatPlaces } from './chat-places.ts'
import { inForm, instructionInTheWay, itemsOf, pieceInTheWay, replaceInstructions, withField, withFields } from './edit-fields.ts'
import { editModel, modelInTheWay } from './edit-model.ts'
import type { RequestPlaces } from './request-editor.ts'
import { urlPath } from '../url-path.ts'
import { ownFields } from '../own-fields.ts'

/**
 * The places of a messages request: its system prompt is `system`, or a message among the others.
 *
 * @see https://docs.anthropic.com/en/api/messages
 */
export const anthropicPlaces: RequestPlaces = {
  blocked(part, { body, url }, { model = '' }) {
    if (part === 'system') return pieceInTheWay(recordsOf(body['system'])) ?? instructionInTheWay(body['messages'])
    return part === 'model' && urlPath(url).includes('/publishers/') ? modelInTheWay(url, model) : undefined
  },
  system(body, text) {
    const list = itemsOf(body['messages'])
    if (!hasSystem(body) && list.some(isInstruction)) return { ...body, messages: replaceInstructions(list, text) }
    const rest = list.some(isInstruction) ? { ...body, messages: replaceInstructions(list, '') } : body
    return withField(rest, 'system', text === '' ? undefined : inForm(body['system'], text))
  },
  messages: chatPlaces.messages,
  model: editModel,
  sampling: withFields,
  ownFields: ownFields.anthropic,
}

function hasSystem({ system }: JsonRecord): boolean {
  return typeof system === 'string' || recordsOf(system).length > 0
}
