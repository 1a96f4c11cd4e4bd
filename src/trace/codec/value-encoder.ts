import { isJsonArray, isJsonObject, isReserved, mapFields, setOwn, type Json } from '../json.ts'
import { type WriteOptions, writeValue } from '../value-writer.ts'
import { type Continuation, Conversations, type Followed, isConversation } from './conversations.ts'
import { isSmall, type TextStore } from './texts.ts'

/** The place of a value in the trace. */
export interface Slot extends Pick<WriteOptions, 'onUnkept'> {
  readonly field: 'input' | 'output' | 'state'
  /** What values of the same kind share: the boundary and name of their steps, or the name of a checkpoint. */
  readonly name: string
  /** The number by which a later row can continue this one's arrays: its step, or the ordinal of its checkpoint. */
  readonly number: number
  /** Whether it is an `HttpInput` or `HttpOutput`: these stay legible, and only their contents are stored as texts. */
  readonly http: boolean
  /** Whether each large field of an object is written separately: used for states that are taken again and again. */
  readonly byFields?: boolean
}

/** Writes the values of rows: small values in place, others as references to texts, growing arrays as their additions. */
export interface ValueEncoder {
  encode(value: unknown, slot: Slot): Json
  /** Forgets earlier values, so that none is continued. */
  forget(): void
}

/** Creates an encoder that stores texts in `texts`. */
export function createValueEncoder(texts: TextStore): ValueEncoder {
  const conversations = new Conversations()

  const follow = (items: readonly Json[], { path, number, print }: Place): Followed => conversations.follow(path, number, items, print)

  const toReference = (printed: readonly string[], { from, ...earlier }: Continuation): Json => ({
    $: { ...earlier, add: printed.slice(from).map((json) => texts.place(json)) },
  })

  /** Returns the value with each array that continues an earlier one written as its additions; undefined if there is none. */
  const continueValue = (value: Json, place: Place): Json | undefined => {
    if (isJsonArray(value)) {
      const { printed, continuation } = isConversation(value) ? follow(value, place) : { printed: [] }
      return continuation === undefined ? undefined : toReference(printed, continuation)
    }
    if (!isJsonObject(value) || isReserved(value)) return undefined
    const continued = new Map<string, Json>()
    for (const [key, field] of Object.entries(value)) {
      const written = typeof field === 'object' && field !== null ? continueValue(field, within(place, key)) : undefined
      if (written !== undefined) continued.set(key, written)
    }
    return continued.size === 0 ? undefined : mapFields(value, (field, key) => continued.get(key) ?? texts.place(place.print(field)))
  }

  const encodeWhole = (value: Json, place: Place): Json => {
    const json = place.print(value)
    if (texts.has(json)) return { $: texts.refer(json) }
    // Small arrays are checked as well: conversations begin small.
    const continued = continueValue(value, place)
    return isSmall(json) ? texts.place(json) : (continued ?? texts.place(json))
  }

  /** Encodes a whole value, except that the object items of an array are stored separately. */
  const encodePart = (value: Json, place: Place): Json => {
    if (!isJsonArray(value) || !isConversation(value)) return encodeWhole(value, place)
    const { printed, continuation } = follow(value, place)
    return continuation === undefined ? printed.map((json) => texts.place(json)) : toReference(printed, continuation)
  }

  const encodeBody = (json: Json, place: Place, isRequest: boolean): Json =>
    isRequest && isJsonObject(json) && !isReserved(json)
      ? mapFields(json, (part, key) => encodePart(part, within(place, key)))
      : encodeWhole(json, place)

  /** Encodes a state by its fields, as deep as there are large ones: a field that has not changed since an earlier checkpoint becomes a reference. */
  const encodeState = (value: Json, place: Place): Json => {
    const isDivided = isJsonObject(value) && !isReserved(value) && Object.values(value).some((field) => !isSmall(place.print(field)))
    return isDivided ? mapFields(value, (field, key) => encodeState(field, within(place, key))) : encodeWhole(value, place)
  }

  const encodeHttp = (value: object, slot: Slot, place: Place): Json => {
    const fields: Record<string, Json> = {}
    for (const key of [...HTTP_FIELDS, ...Object.keys(value).filter((name) => !HTTP_FIELDS.includes(name))]) {
      const field: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
      if (field === undefined) continue
      const { path, number } = within(place, key)
      if (key === 'json') setOwn(fields, key, encodeBody(field as Json, { path, number, print: printParsed }, slot.field === 'input'))
      else if (INLINE_FIELDS.includes(key)) setOwn(fields, key, writeValue(field).json)
      else setOwn(fields, key, encodeWhole(writeValue(field).json, { path, number, print: JSON.stringify }))
    }
    return fields
  }

  return {
    encode(value, slot) {
      const place = { path: `${slot.field} ${slot.name}`, number: slot.number, print: JSON.stringify }
      if (slot.http && typeof value === 'object' && value !== null) return encodeHttp(value, slot, place)
      const { json, cyclic } = writeValue(value, { keepsBuffers: slot.field === 'output', onUnkept: slot.onUnkept })
      // A value that refers to its ancestors can only be read as a whole.
      if (cyclic) return texts.place(JSON.stringify(json))
      return slot.byFields === true ? encodeState(json, place) : encodeWhole(json, place)
    },
    forget: () => conversations.forget(),
  }
}

/** A place in a slot, and how its value is printed. */
interface Place {
  readonly path: string
  readonly number: number
  readonly print: (value: Json) => string
}

/** The order of an exchange's fields in a file. */
const HTTP_FIELDS: readonly string[] = [
  'method',
  'url',
  'status',
  'statusText',
  'version',
  'headers',
  'leftOut',
  'digests',
  'trailers',
  'json',
  'text',
  'bytes',
]
const INLINE_FIELDS: readonly string[] = ['method', 'url', 'status']

/** Two places never have the same path, whatever their keys contain: an array continued from a different place could not be read. */
function within({ path, number, print }: Place, key: string): Place {
  return { path: `${path}.${JSON.stringify(key)}`, number, print }
}

/** Prints a parsed body: plain JSON, in which only objects that resemble goldenrun's encoding need to be written. */
function printParsed(value: Json): string {
  const json = JSON.stringify(value)
  return json.includes('{"$":') ? JSON.stringify(writeValue(value).json) : json
}
