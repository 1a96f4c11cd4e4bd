import { builtinModules } from 'node:module'
import { processWide } from '../run/process-wide.ts'

const locked = processWide('locked', () => new Set<string>())

/** Notes a property that could not be replaced: what goes through it belongs to no run. */
export function noteLocked(target: object, key: PropertyKey): void {
  locked.add(`${nameOf(target)}.${String(key)}`)
}

/** What could not be replaced, by name: `Math.random`, `node:crypto.randomUUID`. */
export function readLocked(): readonly string[] {
  return [...locked]
}

function nameOf(target: object): string {
  if (target === globalThis) return 'globalThis'
  if (typeof target === 'function') return target.name
  const builtin = builtinModules.find((name) => !name.startsWith('_') && process.getBuiltinModule(name) === target)
  if (builtin !== undefined) return builtin.startsWith('node:') ? builtin : `node:${builtin}`
  const tag: unknown = Reflect.get(target, Symbol.toStringTag)
  return typeof tag === 'string' ? tag : target.constructor.name
}
