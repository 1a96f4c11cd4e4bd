import { EventEmitter } from 'node:events'
import { types } from 'node:util'
import { knownOrMade } from '../../trace/remember.ts'

/** A function or a method of any object. */
export type Method = (...args: never[]) => unknown

/** Returns whether a value is an object with callable members that is not a class, plain data or a builtin. */
export function isWrappable(value: unknown): value is object {
  if (typeof value === 'function') return !isClass(value)
  return typeof value === 'object' && value !== null && !isBuiltin(value)
}

/** Returns whether a value is a function that can be called without `new`. */
export function isCallable(value: unknown): value is Method {
  return typeof value === 'function' && !isClass(value)
}

/**
 * Returns whether a client's result contains more than data and has to be wrapped in turn: functions, or instances of classes with methods.
 * An object with `toJSON` counts as the data that it returns.
 */
export function isHandle(value: unknown): value is object {
  if (typeof value === 'function') return !isClass(value)
  if (typeof value !== 'object' || value === null || isBuiltin(value) || isStream(value)) return false
  return typeof Reflect.get(value, 'toJSON') !== 'function' && namesOf(value).methods.length > 0
}

/** Returns whether a value is an array or a plain object. */
export function isContainer(value: unknown): value is object {
  return Array.isArray(value) || isPlain(value)
}

/** The member names of an object, including those of its classes. */
export interface Names {
  readonly methods: readonly string[]
  readonly accessors: readonly string[]
}

const known = new WeakMap<object, Names>()

/** Returns the methods and accessors of an object, except names that begin with an underscore. */
export function namesOf(value: object): Names {
  const prototype: unknown = Object.getPrototypeOf(value)
  return merge(ownNames(value, true), isOwnClass(prototype) ? namesOfClass(prototype) : { methods: [], accessors: [] })
}

function namesOfClass(prototype: object): Names {
  return knownOrMade(known, prototype, () => {
    const above: unknown = Object.getPrototypeOf(prototype)
    const own = ownNames(prototype, false)
    return isOwnClass(above) ? merge(own, namesOfClass(above)) : own
  })
}

function merge(first: Names, second: Names): Names {
  const merged = (key: keyof Names): string[] => [...new Set([...first[key], ...second[key]])]
  return { methods: merged('methods'), accessors: merged('accessors') }
}

/** @param isInstance Whether to list an object's own fields instead of those of a class: then a getter counts as a field. */
function ownNames(value: object, isInstance: boolean): Names {
  const [methods, accessors]: [string[], string[]] = [[], []]
  for (const [name, { value: held, get }] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    if (name === 'constructor' || name.startsWith('_') || (typeof value === 'function' && isOfFunctions(name))) continue
    if (isCallable(held)) methods.push(name)
    else if (get !== undefined && !isInstance) accessors.push(name)
  }
  return { methods, accessors }
}

function isOfFunctions(name: string): boolean {
  return name === 'length' || name === 'name' || name === 'prototype' || name === 'arguments' || name === 'caller'
}

/** Returns whether a prototype belongs to a class, and not to plain objects or functions of any realm. */
function isOwnClass(prototype: unknown): prototype is object {
  if (typeof prototype !== 'object' && typeof prototype !== 'function') return false
  if (prototype === null || prototype === Function.prototype) return false
  return !(Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf'))
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isOwnClass(Object.getPrototypeOf(value))
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value))
}

function isStream(value: object): boolean {
  return typeof Reflect.get(value, 'pipe') === 'function' || typeof Reflect.get(value, 'getReader') === 'function'
}

function isBuiltin(value: object): boolean {
  if (Array.isArray(value) || ArrayBuffer.isView(value) || value instanceof URL) return true
  const { isAnyArrayBuffer, isDate, isMap, isNativeError, isPromise, isRegExp, isSet, isWeakMap, isWeakSet } = types
  return [isAnyArrayBuffer, isDate, isMap, isNativeError, isPromise, isRegExp, isSet, isWeakMap, isWeakSet].some((is) => is(value))
}

/** Returns whether an object has locked properties, which a proxy must not change. */
export function isLocked(value: object): boolean {
  return Object.isFrozen(value) || Object.values(Object.getOwnPropertyDescriptors(value)).some(isLockedProperty)
}

function isLockedProperty({ configurable, writable, value }: PropertyDescriptor): boolean {
  return configurable === false && writable === false && typeof value === 'function'
}

/** Returns a copy of an object with its current properties, none of them locked. */
export function unlockedCopy<Value extends object>(value: Value): Value {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value)).map(([key, descriptor]) => [
    key,
    { ...descriptor, configurable: true },
  ])
  return Object.create(Object.getPrototypeOf(value), Object.fromEntries(properties))
}

const METHODS: ReadonlySet<PropertyKey> = new Set(Object.keys(EventEmitter.prototype))

/** Returns whether a method adds or removes listeners of an event emitter, which is not a call to the outside world. */
export function isOfEmitters(owner: object, method: PropertyKey): boolean {
  return METHODS.has(method) && isEmitter(owner)
}

function isEmitter(value: object): boolean {
  return typeof Reflect.get(value, 'on') === 'function' && typeof Reflect.get(value, 'emit') === 'function'
}

/** Results are not searched below this depth. */
const MAX_DEPTH = 12

/**
 * Returns a value with `change` applied to every part that is neither an array nor a plain object. Unchanged parts are not copied; very deep
 * or circular parts are left unchanged.
 */
export function mapParts(value: unknown, change: (part: unknown) => unknown, depth: number = 0): unknown {
  const changed = change(value)
  if (changed !== value || depth > MAX_DEPTH || !isContainer(value)) return changed
  const entries = Object.entries(value)
  const parts = entries.map(([key, part]) => [key, mapParts(part, change, depth + 1)] as const)
  if (parts.every(([, part], index) => part === entries[index]?.[1])) return value
  return Array.isArray(value)
    ? Object.assign(
        [...(value as unknown[])],
        parts.map(([, part]) => part),
      )
    : Object.fromEntries(parts)
}
