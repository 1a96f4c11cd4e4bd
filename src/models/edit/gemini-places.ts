import { fieldOf, snakeCase, spellings } from '../gemini-spellings.ts'
import { isJsonObject } from '../../trace/json.ts'
import { type JsonRecord, recordOf, recordsOf, textOf } from '../json-fields.ts'
import { pieceInTheWay, withField, withNestedFields } from './edit-fields.ts'
import { editModelInPath, modelInTheWay } from './edit-model.ts'
import type { RequestPlaces } from './request-editor.ts'
import { ownFields } from '../own-fields.ts'

/**
 * The places of a `generateContent` request. Fields keep the spelling that they have.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const geminiPlaces: RequestPlaces = {
  blocked(part, { body, url }, { model = '' }) {
    const cache = textOf(fieldOf(body, 'cachedContent'))
    if (cache !== undefined && part !== 'sampling')
      return `it uses cached content ("${cache}"), which fixes its system prompt, first messages and model`
    if (part === 'model') return modelInTheWay(url, model)
    const parts = recordOf(fieldOf(body, 'systemInstruction'))['parts']
    return part === 'system' ? pieceInTheWay(isJsonObject(parts) ? [parts] : recordsOf(parts)) : undefined
  },
  system(body, text) {
    const key = keyIn(body, 'systemInstruction')
    const content = recordOf(body[key])
    const last = isJsonObject(content['parts']) ? content['parts'] : recordsOf(content['parts']).at(-1)
    const part = { ...last, text }
    return withField(body, key, text === '' ? undefined : { ...content, parts: isJsonObject(content['parts']) ? part : [part] })
  },
  messages: (body, messages) => ({
    ...body,
    contents: messages.map(({ role, text }) => ({ role: role === 'assistant' ? 'model' : 'user', parts: [{ text }] })),
  }),
  /** Some clients name the model in the body as well, as a path. */
  model(request, model) {
    const { body, url } = editModelInPath(request, model)
    const named = textOf(body['model'])
    return { body: named === undefined ? body : { ...body, model: named.replace(/[^/]*$/, () => model) }, url }
  },
  sampling: (body, fields) => withNestedFields(body, fields, keyIn(body, 'generationConfig'), BESIDE_CONFIG, keyIn),
  ownFields: ownFields.gemini,
}

const BESIDE_CONFIG = spellings(['safetySettings', 'toolConfig', 'cachedContent', 'labels', 'serviceTier', 'store'])

/** Returns a record's key for a name, in either spelling; the name itself if the record has none. */
function keyIn(record: JsonRecord, name: string): string {
  return Object.keys(record).find((key) => snakeCase(key) === snakeCase(name)) ?? name
}
