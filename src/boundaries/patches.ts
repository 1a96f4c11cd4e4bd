import { syncBuiltinESMExports } from 'node:module'

/** Puts a replacement in place and returns how to take it off again. */
export type Door = () => Restore

/** Puts back what a door replaced. */
export type Restore = () => void

/**
 * Replaces a property by what `replace` makes of its value. Restoring puts the old descriptor back, unless somebody else has replaced the
 * property since: what is theirs stays.
 */
export function replaceProperty<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  replace: (original: Target[Key]) => Target[Key],
): Restore {
  const descriptor = Object.getOwnPropertyDescriptor(target, key)
  const replacement = replace(target[key])
  Object.defineProperty(target, key, {
    value: replacement,
    configurable: true,
    writable: true,
    enumerable: descriptor?.enumerable ?? false,
  })
  return () => {
    if (target[key] !== replacement) return
    if (descriptor === undefined) Reflect.deleteProperty(target, key)
    else Object.defineProperty(target, key, descriptor)
  }
}

/** One door of several; restored in reverse order. */
export function combine(...restores: readonly Restore[]): Restore {
  return () => {
    for (const restore of restores.toReversed()) restore()
  }
}

/** Lets ESM named imports of builtin modules (`import { randomUUID } from 'node:crypto'`) follow what was replaced on the modules. */
export function syncNamedImports(): void {
  syncBuiltinESMExports()
}
