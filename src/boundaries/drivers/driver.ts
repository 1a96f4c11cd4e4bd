import type { Restore } from '../patches.ts'

/** A class of a driver, whose calls are steps. */
export interface DriverClass {
  /**
   * Methods that the class itself has, by which it is recognised: three at least, since a minifier changes the name of a class and not those of
   * its methods.
   */
  readonly own: readonly string[]
  /** Replaces methods of the class. */
  open(prototype: object): Restore
}

/** Whether an object has methods of these names itself, as the prototype of a class does. Getters are not called. */
export function hasOwnMethods(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  return names.every((name) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === 'function')
}

/** The names among these by which an object has methods itself. */
export function ownMethods(value: object, names: readonly string[]): readonly string[] {
  return names.filter((name) => hasOwnMethods(value, [name]))
}
