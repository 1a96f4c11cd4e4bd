import { isJsonArray, isJsonObject, isReserved, setOwn, type Json, type JsonObject } from '../json.ts'
import { writeValue, type OnUnkept } from '../value-writer.ts'
import { createConversations, isConversation } from './conversations.ts'
import { isSmall, type TextStore } from './texts.ts'

/** Where a value stands in the trace. */
export interface Slot {
  /** What later values of the same place have in common: which field, of which boundary and name. */
  readonly place: string
  /** The number by which a later row may continue this one's arrays: its step, or which checkpoint it is. */
  readonly number: number
  /** Whether it is an `HttpInput` or `HttpOutput`: those stay legible, and only what they hold is stored as text. */
  readonly http: boolean
  readonly onUnkept?: OnUnkept
}

/** Writes the values of rows: small ones in place, others as references to texts, growing arrays as what they add. */
export interface ValueEncoder {
  encode(value: unknown, slot: Slot): Json
}

/** An encoder that stores texts in `texts`. */
export function createValueEncoder(texts: TextStore): ValueEncoder {
  const conversations = createConversations()
  const jsonOf = createItemPrinter()
  const known = new WeakSet<object>()

  /** The array as what it adds to an earlier one; undefined where there is none. */
  const continueArray = (items: readonly Json[], path: string, slot: Slot): Json | undefined => {
    const printed = items.map((item) => jsonOf(item, slot.http))
    const continuation = conversations.follow(path, slot.number, printed)
    if (continuation === undefined) return undefined
    const { from, ...reference } = continuation
    return { $: { ...reference, add: items.slice(from).map((item, index) => texts.place(item, printed[from + index])) } }
  }

  /** The value with the arrays in it that go on from earlier ones written as such; undefined where none does. */
  const continueValue = (value: Json, path: string, slot: Slot): Json | undefined => {
    if (isJsonArray(value)) return isConversation(value) ? continueArray(value, path, slot) : undefined
    if (!isJsonObject(value) || isReserved(value)) return undefined
    const continued = new Map<string, Json>()
    for (const [key, field] of Object.entries(value)) {
      if (typeof field !== 'object' || field === null) continue
      const written = continueValue(field, join(path, key), slot)
      if (written !== undefined) continued.set(key, written)
    }
    return continued.size === 0 ? undefined : mapFields(value, (field, key) => continued.get(key) ?? texts.place(field))
  }

  const encodeOpen = (value: Json, path: string, slot: Slot): Json => {
    const continued = continueValue(value, path, slot)
    if (continued !== undefined) return continued
    return isJsonArray(value) && isConversation(value) ? value.map((item) => texts.place(item, jsonOf(item, slot.http))) : texts.place(value)
  }

  const encodeHttp = (value: JsonObject, slot: Slot): Json =>
    mapFields(value, (field, key) => {
      if (key === 'method' || key === 'url' || key === 'status') return field
      if (key !== 'json' || !isJsonObject(field) || isReserved(field)) return encodeOpen(field, join(slot.place, key), slot)
      if (slot.place.startsWith('output')) return encodeWhole(field, join(slot.place, key), slot)
      return mapFields(field, (part, name) => encodeOpen(part, join(join(slot.place, key), name), slot))
    })

  const encodeWhole = (value: Json, path: string, slot: Slot): Json => {
    const json = JSON.stringify(value)
    if (texts.has(json)) return { $: texts.refer(json) }
    const continued = continueValue(value, path, slot)
    return isSmall(json) ? value : (continued ?? texts.place(value, json))
  }

  return {
    encode(value, slot) {
      const { json, cyclic } = writeValue(value, {
        ...(slot.onUnkept === undefined ? {} : { onUnkept: slot.onUnkept }),
        ...(slot.http ? { share: true, known } : {}),
      })
      if (cyclic) return texts.place(json)
      if (!slot.http || !isJsonObject(json) || isReserved(json)) return encodeWhole(json, slot.place, slot)
      rememberItems(json['json'], known)
      return encodeHttp(json, slot)
    },
  }
}

/** Prints items. Those of a parsed body never change and often come again as the same object, so they are printed once. */
function createItemPrinter(): (item: Json, immutable: boolean) => string {
  const printed = new WeakMap<object, string>()
  return (item, immutable) => {
    if (!immutable || typeof item !== 'object' || item === null) return JSON.stringify(item)
    const known = printed.get(item)
    if (known !== undefined) return known
    const json = JSON.stringify(item)
    printed.set(item, json)
    return json
  }
}

/** Notes the items of a body's arrays, which were just found to need no change or were replaced by such. */
function rememberItems(body: Json | undefined, known: WeakSet<object>): void {
  if (!isJsonObject(body)) return
  for (const field of Object.values(body)) {
    if (!isJsonArray(field)) continue
    for (const item of field) if (typeof item === 'object' && item !== null) known.add(item)
  }
}

function mapFields(value: JsonObject, write: (field: Json, key: string) => Json): JsonObject {
  const fields: Record<string, Json> = {}
  for (const [key, field] of Object.entries(value)) setOwn(fields, key, write(field, key))
  return fields
}

/** Two places never have one name, whatever their keys hold: an array continued from another place could not be read. */
function join(path: string, key: string): string {
  return `${path}.${JSON.stringify(key)}`
}
