/** A function or a method of any object. */
export type Method = (...args: unknown[]) => unknown

/**
 * An object that is `original` but for some methods, and leaves `original` as it was. All else is read from and written to `original` itself, so
 * a class with private fields works, and whoever changes its state changes that of both.
 */
export function standInFor<Original extends object>(original: Original, methods: ReadonlyMap<PropertyKey, unknown>): Original {
  const replaced = new Map(methods)
  return new Proxy(unlocked(original, replaced), {
    get: (_target, key): unknown => (replaced.has(key) ? replaced.get(key) : Reflect.get(original, key, original)),
    set(_target, key, value): boolean {
      if (!replaced.has(key)) return Reflect.set(original, key, value, original)
      replaced.set(key, value)
      return true
    },
    // Whoever copies the object by its descriptors copies the replaced methods.
    getOwnPropertyDescriptor(target, key): PropertyDescriptor | undefined {
      const descriptor = Reflect.getOwnPropertyDescriptor(target, key)
      if (descriptor === undefined || !replaced.has(key)) return descriptor
      return { value: replaced.get(key), enumerable: descriptor.enumerable ?? false, configurable: true, writable: true }
    },
  })
}

/** A proxy has to show locked properties of its target as they are: what is replaced must not be one. */
function unlocked<Original extends object>(original: Original, replaced: ReadonlyMap<PropertyKey, unknown>): Original {
  const descriptors = Object.getOwnPropertyDescriptors(original) as Record<PropertyKey, PropertyDescriptor>
  const isLocked = [...replaced.keys()].some((key) => descriptors[key]?.configurable === false)
  if (!isLocked) return original
  for (const key of replaced.keys()) descriptors[key] = { ...descriptors[key], configurable: true }
  return Object.create(Object.getPrototypeOf(original), descriptors) as Original
}
