import type { Json } from './json.ts'
import { readValue } from './value-reader.ts'
import { writeValue, type OnUnkept } from './value-writer.ts'

/**
 * Converts a value to JSON. An object whose only key is `$` represents a value that JSON cannot express:
 *
 * | value | JSON |
 * |---|---|
 * | `Date` | `{"$":{"date":"2026-01-31T08:00:00.000Z"}}`, or `"invalid"` |
 * | `bigint` | `{"$":{"bigint":"9007199254740993"}}` |
 * | `NaN`, `Infinity`, `-Infinity`, `-0` | `{"$":{"number":"NaN"}}` |
 * | `undefined` as an item, an entry or the whole value | `{"$":{"undefined":true}}` |
 * | `Map`, `Set` | `{"$":{"map":[[key,value]]}}`, `{"$":{"set":[item]}}` |
 * | `Uint8Array`, `Buffer` | `{"$":{"bytes":"<base64>"}}`, both revived as `Uint8Array` |
 * | `Buffer` in the result of a function | `{"$":{"bytes":"<base64>","as":"Buffer"}}` |
 * | other typed arrays, `ArrayBuffer`, `DataView` | `{"$":{"bytes":"<base64>","as":"Float32Array"}}` |
 * | `RegExp`, `URL`, `URLSearchParams`, `Headers` | `{"$":{"regexp":["a+","gi"]}}`, `url`, `search`, `headers` |
 * | an error | `{"$":{"error":{"name":…,"message":…}}}` |
 * | an object with methods that a wrapped client returned | `{"$":{"handle":{"class":"Statement","methods":["get"],"fields":{}}}}`, revived as a `HandleValue` |
 * | an ancestor of itself | `{"$":{"cycle":"$.a.b"}}`, revived as the same cycle |
 * | an object whose only key is `$` | `{"$":{"literal":{"$":…}}}` |
 * | a value that cannot be kept | `{"$":{"unkept":"a function"}}`, revived as an `UnkeptValue` |
 *
 * As in JSON, a field that is `undefined` is omitted, and an object with `toJSON` becomes its result. An instance of any other class becomes its own
 * enumerable fields, revived as a plain object without the class's methods. Functions, symbols, promises, streams, event emitters, instances without
 * fields of their own, and values nested deeper than 200 levels cannot be kept: `onUnkept` receives the path (`$.order.save`) and the reason. Never
 * throws; getters and `toJSON` that throw count as not kept.
 */
export function toRecorded(value: unknown, onUnkept?: OnUnkept): Json {
  return writeValue(value, { onUnkept }).json
}

/** Converts the result of a function: like `toRecorded`, but each `Buffer` is revived as a `Buffer`. */
export function toRecordedOutput(value: unknown, onUnkept?: OnUnkept): Json {
  return writeValue(value, { keepsBuffers: true, onUnkept }).json
}

/**
 * Revives the output of `toRecorded`, always as a new value. Throws a `TraceFormatError` for JSON that it cannot have written, and for references to
 * text rows, which only a decoder can resolve.
 */
export function fromRecorded(json: Json): unknown {
  return readValue(json)
}

/** Returns a copy that shares nothing with the original: rows share their texts, so copy a value before handing it to an agent. */
export function copyValue(value: unknown): unknown {
  return fromRecorded(toRecordedOutput(value))
}
