import { isJsonArray, isJsonObject, isReserved, mapFields, setOwn, type Json } from '../json.ts'
import { type WriteOptions, writeValue } from '../value-writer.ts'
import { type Continuation, Conversations, type Followed, isConversation } from './conversations.ts'
import { isSmall, type TextStore } from './texts.ts'

/** Where a value stands in the trace. */
export interface Slot extends Pick<WriteOptions, 'onUnkept'> {
  readonly field: 'input' | 'output' | 'state'
  /** What values of the same kind have in common: the boundary and name of their steps, the name of a checkpoint. */
  readonly name: string
  /** The number by which a later row may continue this one's arrays: its step, or which checkpoint it is. */
  readonly number: number
  /** Whether it is an `HttpInput` or `HttpOutput`: those stay legible, and only what they hold is stored as text. */
  readonly http: boolean
  /** Whether an object is written by its large fields, each for itself: of states that are taken again and again. */
  readonly byFields?: boolean
}

/** Writes the values of rows: small ones in place, others as references to texts, growing arrays as what they add. */
export interface ValueEncoder {
  encode(value: unknown, slot: Slot): Json
  /** Goes on from no earlier value. */
  forget(): void
}

/** An encoder that stores texts in `texts`. */
export function createValueEncoder(texts: TextStore): ValueEncoder {
  const conversations = new Conversations()

  const follow = (items: readonly Json[], { path, number, print }: Place): Followed => conversations.follow(path, number, items, print)

  const toReference = (printed: readonly string[], { from, ...earlier }: Continuation): Json => ({
    $: { ...earlier, add: printed.slice(from).map((json) => texts.place(json)) },
  })

  /** The value with the arrays in it that go on from earlier ones written as what they add; undefined where none does. */
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
    // Small arrays are looked at as well: they are how conversations begin.
    const continued = continueValue(value, place)
    return isSmall(json) ? texts.place(json) : (continued ?? texts.place(json))
  }

  /** As whole, but of an array of objects the items are stored, each for itself. */
  const encodePart = (value: Json, place: Place): Json => {
    if (!isJsonArray(value) || !isConversation(value)) return encodeWhole(value, place)
    const { printed, continuation } = follow(value, place)
    return continuation === undefined ? printed.map((json) => texts.place(json)) : toReference(printed, continuation)
  }

  const encodeBody = (json: Json, place: Place, isRequest: boolean): Json =>
    isRequest && isJsonObject(json) && !isReserved(json)
      ? mapFields(json, (part, key) => encodePart(part, within(place, key)))
      : encodeWhole(json, place)

  /** A state by its fields, as deep as there are large ones: what has not changed since an earlier checkpoint is a reference. */
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
      // What refers to its ancestors can only be read as a whole.
      if (cyclic) return texts.place(JSON.stringify(json))
      return slot.byFields === true ? encodeState(json, place) : encodeWhole(json, place)
    },
    forget: () => conversations.forget(),
  }
}

/** A place in a slot, and how what stands there is printed. */
interface Place {
  readonly path: string
  readonly number: number
  readonly print: (value: Json) => string
}

/** The order in which the fields of an exchange stand in a file. */
const HTTP_FIELDS: readonly string[] = ['method', 'url', 'status', 'headers', 'trailers', 'json', 'text', 'bytes']
const INLINE_FIELDS: readonly string[] = ['method', 'url', 'status']

/** Two places never have one path, whatever their keys hold: an array continued from another place could not be read. */
function within({ path, number, print }: Place, key: string): Place {
  return { path: `${path}.${JSON.stringify(key)}`, number, print }
}

/** Prints a parsed body: plain JSON, of which only objects that look like ours need writing. */
function printParsed(value: Json): string {
  const json = JSON.stringify(value)
  return json.includes('{"$":') ? JSON.stringify(writeValue(value).json) : json
}
