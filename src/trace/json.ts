import { orElse } from './or-else.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** An object of JSON values. */
export type JsonObject = { readonly [key: string]: Json }

/** A key of an object or an index of an array. */
export type PathKey = string | number

/** An object type whose possibly undefined fields are optional instead. */
export type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Returns whether a value is an object, neither an array nor null. */
export function isJsonObject(value: Json | undefined): value is JsonObject
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>>
export function isJsonObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether a JSON value is an array. `Array.isArray` alone does not narrow read-only arrays. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Returns whether `$` is an object's only key: in a trace such an object is not data but an encoded value. */
export function isReserved(value: object): boolean {
  if (!Object.hasOwn(value, '$')) return false
  for (const key of Object.keys(value)) if (key !== '$') return false
  return true
}

/** Sets an own field, including `__proto__`, without running a setter. */
export function setOwn(target: object, key: PathKey, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  else (target as Record<PathKey, unknown>)[key] = value
}

/** Returns an object with the same keys, whose fields are the results of `change`. */
export function mapFields<From, To>(fields: Readonly<Record<string, From>>, change: (field: From, key: string) => To): Record<string, To> {
  const changed: Record<string, To> = {}
  for (const [key, field] of Object.entries(fields)) setOwn(changed, key, change(field, key))
  return changed
}

/** Returns whether arrays and objects are nested more than `limit` deep. Does not overflow the stack, however deep they are. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue
      if (depth === limit) return true
      for (const child of Object.values(node)) if (typeof child === 'object' && child !== null) next.push(child)
    }
    level = next
  }
  return false
}

/** Returns the same fields without undefined ones. */
export function omitUndefined<T extends object>(value: T): WithoutUndefined<T> {
  const fields: Record<string, unknown> = {}
  for (const key in value) if (Object.hasOwn(value, key) && value[key] !== undefined) fields[key] = value[key]
  return fields as WithoutUndefined<T>
}

/** Returns the value of a JSON text; undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  return orElse(() => JSON.parse(text) as unknown, undefined)
}

/** Like `parseJson`, but returns undefined as well if parsing would lose more than white space, as for long integers and duplicate keys. */
export function losslessJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const printed = JSON.stringify(value)
    return printed === text || printed === text.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/g, (found) => found.trim()) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns JSON for a message, cut after 60 characters. */
export function preview(json: Json): string {
  const text = JSON.stringify(json)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
