import { syncBuiltinESMExports } from 'node:module'
import { processWide } from '../node/process-wide.ts'
import { noteLocked } from './locked.ts'
import { knownOrMade } from '../trace/remember.ts'

/** Restores everything that a door replaced. */
export type Restore = () => void

// Replacements by all copies of the package. Another copy's replacement is not replaced again; otherwise a read would be recorded twice.
const replacements = processWide('replacements', () => new WeakMap<object, object>())
const thisCopy = {}

/**
 * Replaces a property with the result of `replace` for its value. Restoring sets the old descriptor, unless other code has replaced the
 * property since. A property that the program has locked stays unchanged (`readLocked` lists it).
 */
export function replaceProperty<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  replace: (original: Target[Key]) => Target[Key],
): Restore {
  // Read before the value, because a getter may replace itself with its value.
  const descriptor = Object.getOwnPropertyDescriptor(target, key)
  const original = target[key]
  if (isReplacedElsewhere(original)) return () => undefined
  const replacement = replace(original)
  keepNameAndLength(replacement, original)
  markReplacement(replacement)
  if (descriptor?.writable === true && descriptor.configurable === true) {
    // Keeps the property's descriptor: redefining it takes seven times as long.
    target[key] = replacement
    return () => {
      if (target[key] === replacement) Reflect.set(target, key, original)
    }
  }
  const enumerable = descriptor?.enumerable ?? false
  return place(
    target,
    key,
    descriptor,
    { value: replacement, configurable: true, writable: true, enumerable },
    () => target[key] === replacement,
  )
}

/** Replaces a function, if there is one: versions of Node and of drivers differ. */
export function replaceFunction(home: object, name: string, replace: (original: AnyFunction) => AnyFunction): Restore {
  if (typeof Reflect.get(home, name) !== 'function') return () => undefined
  return replaceProperty(home as Record<string, AnyFunction>, name, replace)
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

/** Replaces the getter of a property, by the rules of `replaceProperty`. */
export function replaceGetter<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  replace: (original: (this: unknown) => Target[Key]) => (this: unknown) => Target[Key],
): Restore {
  const descriptor = Object.getOwnPropertyDescriptor(target, key)
  const original = descriptor?.get
  if (descriptor === undefined || original === undefined || isReplacedElsewhere(original)) return () => undefined
  const get = replace(original as (this: unknown) => Target[Key])
  keepNameAndLength(get, original)
  markReplacement(get)
  return place(target, key, descriptor, { ...descriptor, get }, () => Object.getOwnPropertyDescriptor(target, key)?.get === get)
}

/** Gives an object a property of its own like a method: it can be changed and removed, and is not enumerated. */
export function defineOwn(target: object, key: PropertyKey, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true, enumerable: false })
}

/** Caches the replacement of each original, so that a door that opens again reuses it. For doors that depend only on their original. */
export function sameEachTime<Original extends object>(make: (original: Original) => Original): (original: Original) => Original {
  const made = new WeakMap<Original, Original>()
  return (original) => knownOrMade(made, original, () => make(original))
}

/** One door of several; restored in reverse order. */
export function combine(...restores: readonly Restore[]): Restore {
  return () => {
    for (const restore of restores.toReversed()) restore()
  }
}

/** Doors that are opened one after another, each once. */
export class LaterDoors {
  readonly #opened = new WeakSet<object>()
  readonly #restores: Restore[] = []

  /** Opens a door of an object. Returns false if one was opened before. */
  open(target: object, open: (target: object) => Restore): boolean {
    if (this.#opened.has(target)) return false
    this.#opened.add(target)
    this.#restores.push(open(target))
    return true
  }

  /** Restores what all of them replaced. */
  readonly shut: Restore = () => combine(...this.#restores)()
}

/** Lets ESM named imports of builtin modules (`import { randomUUID } from 'node:crypto'`) follow replacements on the modules. */
export function syncNamedImports(): void {
  syncBuiltinESMExports()
}

/** Returns whether a function is a door's replacement, whichever copy of the package opened the door. */
export function isReplacement(value: unknown): boolean {
  return typeof value === 'function' && replacements.has(value)
}

function isReplacedElsewhere(value: unknown): boolean {
  return typeof value === 'function' && replacements.has(value) && replacements.get(value) !== thisCopy
}

/** Programs read both: a wrapper counts the arguments, a log prints the name. */
function keepNameAndLength(replacement: unknown, original: unknown): void {
  if (typeof replacement !== 'function' || typeof original !== 'function') return
  for (const key of ['name', 'length'] as const) {
    // Most are the same already, and a reopened door already has them set.
    if (replacement[key] !== original[key]) Reflect.defineProperty(replacement, key, { value: original[key], configurable: true })
  }
}

function markReplacement(value: unknown): void {
  if (typeof value === 'function' && !replacements.has(value)) replacements.set(value, thisCopy)
}

function place(
  target: object,
  key: PropertyKey,
  before: PropertyDescriptor | undefined,
  after: PropertyDescriptor,
  isInPlace: () => boolean,
): Restore {
  // Recording must not affect the program, so a door that fails to open stays shut.
  if (!Reflect.defineProperty(target, key, after)) {
    noteLocked(target, key)
    return () => undefined
  }
  return () => {
    if (!isInPlace()) return
    if (before === undefined) Reflect.deleteProperty(target, key)
    else Reflect.defineProperty(target, key, before)
  }
}
