import type { Json } from './json.ts'
import { readValue } from './value-reader.ts'
import { writeValue, type OnUnkept } from './value-writer.ts'

/**
 * Writes a value down as JSON. An object whose only key is `$` stands for what JSON has no word for:
 *
 * | value | JSON |
 * |---|---|
 * | `Date` | `{"$":{"date":"2026-01-31T08:00:00.000Z"}}`, or `"invalid"` |
 * | `bigint` | `{"$":{"bigint":"9007199254740993"}}` |
 * | `NaN`, `Infinity`, `-Infinity`, `-0` | `{"$":{"number":"NaN"}}` |
 * | `undefined` as an item, an entry or the whole value | `{"$":{"undefined":true}}` |
 * | `Map`, `Set` | `{"$":{"map":[[key,value]]}}`, `{"$":{"set":[item]}}` |
 * | `Uint8Array`, `Buffer` | `{"$":{"bytes":"<base64>"}}`, both revived as `Uint8Array` |
 * | `Buffer` in what a function gave | `{"$":{"bytes":"<base64>","as":"Buffer"}}` |
 * | other typed arrays, `ArrayBuffer`, `DataView` | `{"$":{"bytes":"<base64>","as":"Float32Array"}}` |
 * | `RegExp`, `URL`, `URLSearchParams`, `Headers` | `{"$":{"regexp":["a+","gi"]}}`, `url`, `search`, `headers` |
 * | an error | `{"$":{"error":{"name":…,"message":…}}}` |
 * | an object with methods that a wrapped client gave | `{"$":{"handle":{"class":"Statement","methods":["get"],"fields":{}}}}`, revived as a `HandleValue` |
 * | an ancestor of itself | `{"$":{"cycle":"$.a.b"}}`, revived as the same cycle |
 * | an object whose only key is `$` | `{"$":{"literal":{"$":…}}}` |
 * | what cannot be kept | `{"$":{"unkept":"a function"}}`, revived as an `UnkeptValue` |
 *
 * As in JSON, a field that is `undefined` is left out, an object with `toJSON` is what that gives, and an instance of any other class is its own
 * enumerable fields, revived as a plain object: a method that a class had is not there, and no class is revived that the code did not make.
 * Functions, symbols, promises, streams, event emitters, instances without fields of their own, and what stands deeper than 200 levels cannot
 * be kept: `onUnkept` is told the path (`$.order.save`) and why. Never throws; getters and `toJSON` that throw count as not kept.
 */
export function toRecorded(value: unknown, onUnkept?: OnUnkept): Json {
  return writeValue(value, { onUnkept }).json
}

/** Writes what a function gave: as `toRecorded`, but an agent that is given it again gets each `Buffer` as a `Buffer`. */
export function toRecordedOutput(value: unknown, onUnkept?: OnUnkept): Json {
  return writeValue(value, { keepsBuffers: true, onUnkept }).json
}

/**
 * Revives what `toRecorded` wrote, always as a new value. Throws a `TraceFormatError` for JSON that it cannot have written, and for references
 * to text rows, which only a decoder can follow.
 */
export function fromRecorded(json: Json): unknown {
  return readValue(json)
}

/** A copy that shares nothing with the original: rows share their texts, so what is handed to an agent has to be copied first. */
export function copyValue(value: unknown): unknown {
  return fromRecorded(toRecordedOutput(value))
}
