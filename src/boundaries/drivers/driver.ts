import type { Restore } from '../patches.ts'

/** A class of a driver whose calls are steps. */
export interface DriverClass {
  /**
   * The class's own methods by which it is recognised: at least three, since a minifier renames a class but not its methods.
   */
  readonly own: readonly string[]
  /** Replaces methods of the class. */
  open(prototype: object): Restore
}

/** Whether an object itself has methods with these names, as the prototype of a class does. Getters are not called. */
export function hasOwnMethods(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  return names.every((name) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === 'function')
}

/** Those of these names that are the object's own methods. */
export function ownMethods(value: object, names: readonly string[]): readonly string[] {
  return names.filter((name) => hasOwnMethods(value, [name]))
}
