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

/** Whether a prototype is that of a class, as far as its own methods tell. Getters are not called. */
export function isOfClass(prototype: object, { own }: Pick<DriverClass, 'own'>): boolean {
  return own.every((name) => typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === 'function')
}
