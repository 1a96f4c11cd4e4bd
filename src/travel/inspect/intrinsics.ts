import { types } from 'node:util'

/**
 * Reads values with V8's own code only: no getter, proxy trap or method of the value is called. Everything that the agent could replace on a
 * prototype is taken here, before the agent is loaded.
 *
 * @note If given a proxy, each function would call a trap. Check `isProxy` first.
 */
const { getOwnPropertyDescriptor, getPrototypeOf, ownKeys, apply } = Reflect

type Method = (this: unknown) => unknown

/** Whether a value is an object or a function. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Whether a value is a proxy: reading it could run the agent's code. */
export const isProxy: (value: unknown) => boolean = types.isProxy

/** Returns the value of an own property, or `accessor` if it has a getter or setter. Undefined if there is none. */
export function ownProperty(holder: object, key: PropertyKey): { readonly value: unknown } | 'accessor' | undefined {
  const descriptor = getOwnPropertyDescriptor(holder, key)
  if (descriptor === undefined) return undefined
  return 'value' in descriptor ? { value: descriptor.value } : 'accessor'
}

/** Returns the value of an own property; undefined if there is none, or it has a getter or setter. */
export function ownValue(holder: object, key: PropertyKey): unknown {
  const property = ownProperty(holder, key)
  return property === 'accessor' ? undefined : property?.value
}

/** Returns the names and symbols of an object's own properties. */
export function ownNames(holder: object): readonly PropertyKey[] {
  return ownKeys(holder)
}

/** Whether loops and `Object.keys` list a property. */
export function isEnumerable(holder: object, key: PropertyKey): boolean {
  return getOwnPropertyDescriptor(holder, key)?.enumerable === true
}

/** Returns the name of the class that made an object; undefined for plain objects, or if it cannot be known. */
export function classOf(value: object): string | undefined {
  const [made] = classesOf(value)
  return made === undefined ? inheritedTag(value) : functionName(made)
}

/** Returns the tag that a class gives its instances, such as `Headers`; undefined if it is computed. */
export function tagOf(made: object): string | undefined {
  const prototype = ownValue(made, 'prototype')
  return isObject(prototype) ? ownTag(prototype) : undefined
}

/** Returns the inherited tag: generators and iterators have a tag but no class. */
function inheritedTag(value: object): string | undefined {
  for (let holder = getPrototypeOf(value); holder !== null && !isProxy(holder); holder = getPrototypeOf(holder)) {
    const tag = ownTag(holder)
    if (tag !== undefined) return tag
  }
  return undefined
}

function ownTag(holder: object): string | undefined {
  if (isProxy(holder)) return undefined
  const tag = ownValue(holder, Symbol.toStringTag)
  return typeof tag === 'string' ? tag : undefined
}

/** Returns the classes of an object, the most derived first; none for plain objects. */
export function classesOf(value: object): object[] {
  const classes: object[] = []
  let prototype = getPrototypeOf(value)
  for (let depth = 0; prototype !== null && prototype !== Object.prototype && depth < 8; depth += 1) {
    if (isProxy(prototype)) break
    const made = ownValue(prototype, 'constructor')
    if (typeof made === 'function' && !isProxy(made)) classes.push(made)
    prototype = getPrototypeOf(prototype)
  }
  return classes
}

/** Returns the name of a function; empty if it has none, or it is computed. */
export function functionName(value: unknown): string {
  if (typeof value !== 'function' || isProxy(value)) return ''
  const name = ownValue(value, 'name')
  return typeof name === 'string' ? name : ''
}

/** Calls `visit` for each entry of a map, in order. */
export function eachOfMap(map: object, visit: (value: unknown, key: unknown) => void): void {
  apply(mapForEach, map, [visit])
}

/** Calls `visit` for each item of a set, in order. */
export function eachOfSet(set: object, visit: (value: unknown) => void): void {
  apply(setForEach, set, [visit])
}

/** Returns the number of entries of a map or a set. */
export function sizeOf(value: object): number {
  return types.isMap(value) ? mapSize(value) : setSize(value)
}

/** Returns the number of bytes of a buffer or of a view. */
export function bytesOf(value: object): number {
  if (types.isTypedArray(value)) return typedArrayBytes(value)
  if (types.isDataView(value)) return dataViewBytes(value)
  return types.isSharedArrayBuffer(value) ? sharedBytes(value) : bufferBytes(value)
}

/** Returns the pattern and the flags of a regular expression. */
export function patternOf(value: object): readonly [source: string, flags: string] {
  return [source(value), flagGetters.map(([flag, isSet]) => (isSet(value) ? flag : '')).join('')]
}

/** Returns the description of a symbol. */
export function symbolName(value: symbol): string {
  return description(value) ?? ''
}

/** Returns the primitive in a `new String('…')`, `new Number(1)`, …; undefined for other objects. */
export function boxedOf(value: object): unknown {
  return boxes.find(([isOne]) => isOne(value))?.[1](value)
}

/** Returns the text of a function or class. */
export const sourceOf: (value: object) => string = taken(Function.prototype.toString)

/** Returns the milliseconds of a date; NaN if it is invalid. */
export const timeOf: (date: object) => number = taken(Date.prototype.getTime)

const mapForEach = Map.prototype.forEach as Method
const setForEach = Set.prototype.forEach as Method
const mapSize = getterOf(Map.prototype, 'size')
const setSize = getterOf(Set.prototype, 'size')
const typedArrayBytes = getterOf(getPrototypeOf(Uint8Array.prototype) as Uint8Array, 'byteLength')
const dataViewBytes = getterOf(DataView.prototype, 'byteLength')
const bufferBytes = getterOf(ArrayBuffer.prototype, 'byteLength')
const sharedBytes = getterOf(SharedArrayBuffer.prototype, 'byteLength')
const source = getterOf(RegExp.prototype, 'source')
const description = getterOf(Symbol.prototype, 'description')
const boxes = [
  [types.isStringObject, taken(String.prototype.valueOf)],
  [types.isNumberObject, taken(Number.prototype.valueOf)],
  [types.isBooleanObject, taken(Boolean.prototype.valueOf)],
  [types.isSymbolObject, taken(Symbol.prototype.valueOf)],
  [types.isBigIntObject, taken(BigInt.prototype.valueOf)],
] as const
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

function getterOf<Holder extends object, Name extends keyof Holder>(prototype: Holder, name: Name): (value: unknown) => Holder[Name] {
  const getter = getOwnPropertyDescriptor(prototype, name)?.get
  if (getter === undefined) throw new TypeError(`${String(name)} is not a getter of this Node`)
  return taken<Holder[Name]>(getter)
}

/** Turns a method into a function of its object. */
function taken<Result>(method: () => Result): (value: unknown) => Result {
  return (value) => apply(method, value, [])
}
