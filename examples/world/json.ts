/** A JSON object of which nothing else is known. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether `value` is an object and neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `value` where it is a string, else the empty string. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The objects of an array; none where `value` is not an array. */
export function toObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/**
 * The text of a message's content: the string itself, or the `text` of its parts put together. Images and other parts count as nothing.
 */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return toObjects(content)
    .map((part) => toText(part['text']))
    .join('')
}

/** The bytes as JSON; undefined where they are none, which a server answers with a 400. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
