import { types } from 'node:util'

/**
 * Reads of a value that run no code but V8's own: none of them calls a getter, a trap of a proxy, or a method of the value. What the agent may
 * replace on a prototype is taken here, before the agent is loaded.
 *
 * @note Each function that is given a proxy would call a trap: ask `isProxy` first.
 */
const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys, apply } = Reflect

type Getter = (this: unknown) => unknown

/** Whether a value is an object or a function. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Whether reading a value could run the agent's code: it is a proxy. */
export const isProxy: (value: unknown) => boolean = types.isProxy

/** An own property: its value, or that it is computed by a getter or setter. Undefined if there is none. */
export function ownProperty(holder: object, key: PropertyKey): { readonly value: unknown } | 'accessor' | undefined {
  const descriptor = getOwnPropertyDescriptor(holder, key)
  if (descriptor === undefined) return undefined
  return 'value' in descriptor ? { value: descriptor.value } : 'accessor'
}

/** The names and symbols of an object's own properties. */
export function ownNames(holder: object): readonly PropertyKey[] {
  return ownKeys(holder)
}

/** Whether it is listed by loops and `Object.keys`. */
export function isEnumerable(holder: object, key: PropertyKey): boolean {
  return getOwnPropertyDescriptor(holder, key)?.enumerable === true
}

/** The name of the class that an object was made by; undefined for plain objects, and where it cannot be known. */
export function classOf(value: object): string | undefined {
  const [made] = classesOf(value)
  return made === undefined ? inheritedTag(value) : functionName(made)
}

/** The tag that a class gives its instances, such as `Headers`; undefined if it computes it. */
export function tagOf(made: object): string | undefined {
  const prototype = ownProperty(made, 'prototype')
  return prototype === undefined || prototype === 'accessor' || !isObject(prototype.value) ? undefined : ownTag(prototype.value)
}

/** Generators and iterators have no class, but a tag. */
function inheritedTag(value: object): string | undefined {
  for (let holder = getPrototypeOf(value); holder !== null && !isProxy(holder); holder = getPrototypeOf(holder)) {
    const tag = ownTag(holder)
    if (tag !== undefined) return tag
  }
  return undefined
}

function ownTag(holder: object): string | undefined {
  if (isProxy(holder)) return undefined
  const tag = ownProperty(holder, Symbol.toStringTag)
  return tag !== undefined && tag !== 'accessor' && typeof tag.value === 'string' ? tag.value : undefined
}

/** The classes that an object was made by, the innermost first; none for plain objects. */
export function classesOf(value: object): object[] {
  const classes: object[] = []
  let prototype = getPrototypeOf(value)
  for (let depth = 0; prototype !== null && prototype !== Object.prototype && depth < 8; depth += 1) {
    if (isProxy(prototype)) break
    const made = ownProperty(prototype, 'constructor')
    if (made !== undefined && made !== 'accessor' && typeof made.value === 'function' && !isProxy(made.value)) classes.push(made.value)
    prototype = getPrototypeOf(prototype)
  }
  return classes
}

/** The text of a function or class. */
export function sourceOf(value: object): string {
  return apply(functionText, value, []) as string
}

/** The name of a function; empty if it has none, or computes it. */
export function functionName(value: unknown): string {
  if (typeof value !== 'function' || isProxy(value)) return ''
  const name = ownProperty(value, 'name')
  return name !== undefined && name !== 'accessor' && typeof name.value === 'string' ? name.value : ''
}

/** Milliseconds of a date; NaN if it is invalid. */
export function timeOf(date: object): number {
  return apply(getTime, date, []) as number
}

/** Calls back for each entry of a map, in order. */
export function eachOfMap(map: object, visit: (value: unknown, key: unknown) => void): void {
  apply(mapForEach, map, [visit])
}

/** Calls back for each item of a set, in order. */
export function eachOfSet(set: object, visit: (value: unknown) => void): void {
  apply(setForEach, set, [visit])
}

/** How many entries a map or a set has. */
export function sizeOf(value: object): number {
  return apply(types.isMap(value) ? mapSize : setSize, value, []) as number
}

/** How many bytes a buffer or a view of one has. */
export function bytesOf(value: object): number {
  if (types.isTypedArray(value)) return apply(typedArrayBytes, value, []) as number
  if (types.isDataView(value)) return apply(dataViewBytes, value, []) as number
  return apply(types.isSharedArrayBuffer(value) ? sharedBytes : bufferBytes, value, []) as number
}

/** The pattern and the flags of a regular expression. */
export function patternOf(value: object): readonly [source: string, flags: string] {
  const flags = flagGetters.map(([flag, getter]) => (apply(getter, value, []) === true ? flag : ''))
  return [apply(source, value, []) as string, flags.join('')]
}

/** What a symbol was made with. */
export function symbolName(value: symbol): string {
  return (apply(description, value, []) as string | undefined) ?? ''
}

/** The primitive in a `new String('…')`, `new Number(1)`, …; undefined for other objects. */
export function boxedOf(value: object): unknown {
  if (!types.isBoxedPrimitive(value)) return undefined
  if (types.isStringObject(value)) return apply(stringValue, value, [])
  if (types.isNumberObject(value)) return apply(numberValue, value, [])
  if (types.isBooleanObject(value)) return apply(booleanValue, value, [])
  if (types.isSymbolObject(value)) return apply(symbolValue, value, [])
  return apply(bigintValue, value, [])
}

const functionText = Function.prototype.toString as Getter
const getTime = Date.prototype.getTime as Getter
const mapForEach = Map.prototype.forEach as Getter
const setForEach = Set.prototype.forEach as Getter
const mapSize = getterOf(Map.prototype, 'size')
const setSize = getterOf(Set.prototype, 'size')
const typedArrayBytes = getterOf(getPrototypeOf(Uint8Array.prototype) as object, 'byteLength')
const dataViewBytes = getterOf(DataView.prototype, 'byteLength')
const bufferBytes = getterOf(ArrayBuffer.prototype, 'byteLength')
const sharedBytes = getterOf(SharedArrayBuffer.prototype, 'byteLength')
const source = getterOf(RegExp.prototype, 'source')
const description = getterOf(Symbol.prototype, 'description')
const stringValue = String.prototype.valueOf as Getter
const numberValue = Number.prototype.valueOf as Getter
const booleanValue = Boolean.prototype.valueOf as Getter
const symbolValue = Symbol.prototype.valueOf as Getter
const bigintValue = BigInt.prototype.valueOf as Getter
const flagGetters = (
  [
    ['d', 'hasIndices'],
    ['g', 'global'],
    ['i', 'ignoreCase'],
    ['m', 'multiline'],
    ['s', 'dotAll'],
    ['u', 'unicode'],
    ['v', 'unicodeSets'],
    ['y', 'sticky'],
  ] as const
).map(([flag, name]) => [flag, getterOf(RegExp.prototype, name)] as const)

function getterOf(prototype: object, name: string): Getter {
  const getter = getOwnPropertyDescriptor(prototype, name)?.get
  if (getter === undefined) throw new TypeError(`${name} is not a getter of this Node`)
  return getter
}
