import { processWide } from '../node/process-wide.ts'

const locked = processWide('locked', () => new Set<string>())

/** Remembers a property that could not be replaced, so that calls through it belong to no run. */
export function noteLocked(target: object, key: PropertyKey): void {
  locked.add(nameOfProperty(target, key))
}

/** Returns how messages name a property that a door replaces: `Math.random`, `node:crypto.randomUUID`, `globalThis.fetch`. */
export function nameOfProperty(target: object, key: PropertyKey): string {
  return `${nameOf(target)}.${String(key)}`
}

/** Returns the properties that could not be replaced, by name: `Math.random`, `node:crypto.randomUUID`. */
export function readLocked(): readonly string[] {
  return [...locked]
}

/** Modules whose properties doors replace. */
const modules = [
  'crypto',
  'timers',
  'timers/promises',
  'http',
  'https',
  'http2',
  'dns',
  'dns/promises',
  'child_process',
  'worker_threads',
  'inspector',
  'os',
]

function nameOf(target: object): string {
  if (target === globalThis) return 'globalThis'
  if (typeof target === 'function') return target.name
  const home = modules.find((name) => process.getBuiltinModule(name) === target)
  if (home !== undefined) return `node:${home}`
  const { constructor } = target
  const tag: unknown = Reflect.get(target, Symbol.toStringTag)
  const name = typeof tag === 'string' ? tag : constructor.name
  return constructor.prototype === target ? `${name}.prototype` : name
}
