import { isErrorObject } from './error-parts.ts'
import { toBase64 } from './base64.ts'
import { driverValueOf } from './driver-values.ts'
import { HandleValue } from './handle-value.ts'
import type { JsonObject } from './json.ts'
import { UnkeptValue } from './unkept-value.ts'

/** How a writer treats an object, with the data to write it. */
export type ObjectKind =
  | { readonly kind: 'array'; readonly items: readonly unknown[] }
  | { readonly kind: 'plain' | 'instance' }
  /** The result of `toJSON`, or the primitive in an object. */
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [unknown, unknown])[] }
  | { readonly kind: 'set'; readonly items: readonly unknown[] }
  | { readonly kind: 'error'; readonly error: Error }
  | { readonly kind: 'handle'; readonly handle: HandleValue }
  /** Already completely written. */
  | { readonly kind: 'encoded'; readonly payload: JsonObject }
  /** `silent`: already reported when the value was first recorded. */
  | { readonly kind: 'unkept'; readonly reason: string; readonly silent?: boolean }

/**
 * Classifies an object. Uses tags and not `instanceof`, because values come from several realms (Jest runs tests in its own). Throws the errors of
 * the object's getters, proxies or `toJSON`.
 *
 * @param keepsBuffers Whether a `Buffer` is distinguished from other bytes.
 */
export function classify(value: object, keepsBuffers: boolean = false): ObjectKind {
  if (Array.isArray(value)) return { kind: 'array', items: value }
  if (isPlain(value)) return hasToJSON(value) ? { kind: 'json', value: value.toJSON() } : { kind: 'plain' }
  if (value instanceof HandleValue) return { kind: 'handle', handle: value }
  if (value instanceof UnkeptValue) return { kind: 'unkept', reason: value.reason, silent: true }
  if (isErrorObject(value)) return { kind: 'error', error: value }
  if (ArrayBuffer.isView(value)) return { kind: 'encoded', payload: encodeView(value, keepsBuffers) }
  const tag = tagOf(value)
  const encode = ENCODERS.get(tag)
  if (encode !== undefined) return encode(value)
  const said = driverValueOf(value)
  if (said !== undefined) return { kind: 'json', value: said }
  if (hasToJSON(value)) return { kind: 'json', value: value.toJSON() }
  return classifyInstance(value, tag)
}

/** Returns whether an object was made by `{}`, `Object.create(null)` or the like, in any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return true
  return typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
}

function hasToJSON(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

function encodeView(view: ArrayBufferView, keepsBuffers: boolean): JsonObject {
  const bytes = toBase64(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
  const tag = tagOf(view)
  if (keepsBuffers && globalThis.Buffer?.isBuffer(view)) return { bytes, as: 'Buffer' }
  return tag === 'Uint8Array' ? { bytes } : { bytes, as: tag }
}

function encodeBuffer(buffer: ArrayBufferLike): ObjectKind {
  return { kind: 'encoded', payload: { bytes: toBase64(new Uint8Array(buffer)), as: 'ArrayBuffer' } }
}

// Each runs its own realm's method on the object: a false tag causes a TypeError, and the value is not kept.
const ENCODERS: ReadonlyMap<string, (value: object) => ObjectKind> = new Map<string, (value: object) => ObjectKind>([
  ['Date', (value) => encoded({ date: isoOf(Reflect.apply(Date.prototype.getTime, value, [])) })],
  ['Map', (value) => ({ kind: 'map', entries: [...(Reflect.apply(Map.prototype.entries, value, []) as Iterable<[unknown, unknown]>)] })],
  ['Set', (value) => ({ kind: 'set', items: [...(Reflect.apply(Set.prototype.values, value, []) as Iterable<unknown>)] })],
  ['RegExp', (value) => encoded({ regexp: [String(Reflect.get(value, 'source')), String(Reflect.get(value, 'flags'))] })],
  ['ArrayBuffer', (value) => encodeBuffer(value as ArrayBuffer)],
  ['SharedArrayBuffer', (value) => encodeBuffer(value as SharedArrayBuffer)],
  ['URL', (value) => encoded({ url: (value as URL).href })],
  ['URLSearchParams', (value) => encoded({ search: (value as URLSearchParams).toString() })],
  ['Headers', (value) => encoded({ headers: [...(value as Headers)] })],
  ['Number', (value) => ({ kind: 'json', value: Reflect.apply(Number.prototype.valueOf, value, []) })],
  ['String', (value) => ({ kind: 'json', value: Reflect.apply(String.prototype.valueOf, value, []) })],
  ['Boolean', (value) => ({ kind: 'json', value: Reflect.apply(Boolean.prototype.valueOf, value, []) })],
  ['BigInt', (value) => ({ kind: 'json', value: Reflect.apply(BigInt.prototype.valueOf, value, []) })],
])

function encoded(payload: JsonObject): ObjectKind {
  return { kind: 'encoded', payload }
}

function isoOf(time: number): string {
  return Number.isNaN(time) ? 'invalid' : new Date(time).toISOString()
}

function classifyInstance(value: object, tag: string): ObjectKind {
  const has = (name: PropertyKey): boolean => typeof Reflect.get(value, name) === 'function'
  if (has('then')) return unkept('a promise')
  if (has('pipe') || has('getReader') || has(Symbol.asyncIterator)) return unkept('a stream')
  if (has('on') && has('emit')) return unkept('an event emitter')
  if (Object.keys(value).length > 0) return { kind: 'instance' }
  const name: unknown = Reflect.get(value, 'constructor')
  const className = typeof name === 'function' && name.name !== '' ? name.name : tag
  return isEmptyClass(value) ? { kind: 'instance' } : unkept(`an instance of ${className}, which has no fields of its own,`)
}

/** Returns whether an instance without fields has no methods either, so that nothing is lost: `new (class Nothing {})()`. */
function isEmptyClass(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (typeof prototype !== 'object' || prototype === null) return false
  return Reflect.ownKeys(prototype).every((key) => key === 'constructor') && isPlain(prototype)
}

function unkept(reason: string): ObjectKind {
  return { kind: 'unkept', reason }
}
