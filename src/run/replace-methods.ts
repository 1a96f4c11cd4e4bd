import { dressAs } from './function-step.ts'

/** A function or a method of any object. */
export type Method = (...args: unknown[]) => unknown

/** What each wrapper stands for: what is wrapped again is wrapped once. */
const bodies = new WeakMap<Method, Method>()

/** A function in the place of `body`; where that is such a function itself, in the place of what it stands for. */
export function wrapMethod(body: Method, wrap: (body: Method) => Method): Method {
  const original = bodies.get(body) ?? body
  const wrapper = dressAs(wrap(original), original)
  bodies.set(wrapper, original)
  return wrapper
}

/**
 * Replaces methods of an object: of a plain one in a copy, of an instance of a class in the object itself, whose methods call each other and may
 * use private fields, which neither a copy nor a proxy has.
 */
export function replaceMethods<Owner extends object>(owner: Owner, methods: ReadonlyMap<PropertyKey, Method>): Owner {
  const prototype: unknown = Object.getPrototypeOf(owner)
  const isPlain = prototype === null || prototype === Object.prototype
  const replaced = Object.fromEntries(
    [...methods].map(([key, value]) => {
      const enumerable = Object.getOwnPropertyDescriptor(owner, key)?.enumerable ?? false
      return [key, { value, enumerable, configurable: true, writable: true }]
    }),
  )
  if (!isPlain) return Object.defineProperties(owner, replaced)
  return Object.create(prototype, { ...Object.getOwnPropertyDescriptors(owner), ...replaced }) as Owner
}
