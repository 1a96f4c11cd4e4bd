import { isJsonObject } from '../../trace/json.ts'
import type { Dialect, RequestEdit, SaidMessage } from '../dialect.ts'
import type { JsonRecord } from '../json-fields.ts'
import { RequestEditError } from './request-edit-error.ts'

/** A request while it is being edited. */
export interface OpenRequest {
  readonly body: JsonRecord
  readonly url: string
}

/** How a dialect replaces each part of a request. */
export interface RequestPlaces {
  /** Returns why a part cannot be replaced, as the end of a sentence; undefined if it can be. */
  blocked?(part: keyof RequestEdit, request: OpenRequest, edit: RequestEdit): string | undefined
  /** Returns the body with one system prompt, or with none for an empty text. */
  system(body: JsonRecord, text: string): JsonRecord
  messages(body: JsonRecord, messages: readonly SaidMessage[]): JsonRecord
  model(request: OpenRequest, model: string): OpenRequest
  sampling(body: JsonRecord, fields: JsonRecord): JsonRecord
  /** Fields of the body that are not sampling, or that only contain the sampling fields. */
  readonly ownFields: readonly string[]
}

/** Creates the `editRequest` of a dialect. */
export function requestEditor(dialect: string, places: RequestPlaces): Dialect['editRequest'] {
  return (json, url, edit) => {
    let request: OpenRequest = { body: isJsonObject(json) ? json : {}, url }
    for (const part of PARTS) {
      if (edit[part] === undefined) continue
      const problem = isJsonObject(json)
        ? (faultIn(part, edit, places) ?? places.blocked?.(part, request, edit))
        : 'its body is not a JSON object'
      if (problem !== undefined) throw new RequestEditError(dialect, part, problem)
    }
    const { system, messages, model, sampling } = edit
    if (system !== undefined) request = { url, body: places.system(request.body, system) }
    if (messages !== undefined) request = { url, body: places.messages(request.body, messages) }
    if (sampling !== undefined) request = { url, body: places.sampling(request.body, sampling) }
    if (model !== undefined) request = places.model(request, model)
    return isJsonObject(json) ? { json: request.body, url: request.url } : { json, url }
  }
}

const PARTS = ['system', 'messages', 'model', 'sampling'] as const

/** Returns the fault of an edit that is wrong for any request. */
function faultIn(part: keyof RequestEdit, { model, messages, sampling }: RequestEdit, { ownFields }: RequestPlaces): string | undefined {
  if (part === 'model') return model === '' ? 'the new name is empty' : undefined
  if (part === 'messages') return messages?.length === 0 ? 'the new conversation has no message' : undefined
  const other = part === 'sampling' ? Object.keys(sampling ?? {}).find((name) => ownFields.includes(name)) : undefined
  return other === undefined ? undefined : `"${other}" is not a sampling field`
}
