import { callAsStep, dressAs, type FunctionStep } from './function-step.ts'

/** A function or a method of any object. */
export type Method = (...args: unknown[]) => unknown

/** The original of each wrapper, so that nothing is wrapped twice. */
const bodies = new WeakMap<Method, Method>()

/**
 * Makes each call of `body` a step. If `body` is already a wrapper, its original is wrapped.
 *
 * @param stepOf Describes the step by the arguments of the call.
 * @param within Creates the function to call in the step from the original. Default: the original.
 */
export function wrapMethod(
  body: Method,
  stepOf: (args: readonly unknown[]) => FunctionStep,
  within: (original: Method) => Method = (original) => original,
): Method {
  const original = bodies.get(body) ?? body
  const called = within(original)
  const wrapper = dressAs(function (this: unknown, ...args: unknown[]): unknown {
    return callAsStep(stepOf(args), args, () => Reflect.apply(called, this, args))
  }, original)
  bodies.set(wrapper, original)
  return wrapper
}

/**
 * Replaces methods of an object: in a copy of a plain object, but in place for an instance of a class, because its methods call each other
 * and may use private fields, which copies and proxies lack.
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
