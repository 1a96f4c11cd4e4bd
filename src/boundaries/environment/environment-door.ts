import { currentScope } from '../../run/scope.ts'
import { replaceProperty, type Restore } from '../patches.ts'

/**
 * `process.env`: a replayed run sees the environment variables that were recorded with it, and of the others those of this process. Only
 * replays open this door.
 */
export function environmentDoor(): Restore {
  const real = process.env
  const recorded = (name: string | symbol): string | undefined => {
    const run = typeof name === 'string' ? currentScope()?.run : undefined
    return run?.mode === 'replay' ? run.environment[String(name)] : undefined
  }
  const door = new Proxy(real, {
    get: (target, name) => recorded(name) ?? Reflect.get(target, name),
    has: (target, name) => recorded(name) !== undefined || Reflect.has(target, name),
    // Writing goes to the real one: only it tells Node of a change of `TZ`.
    set: (target, name, value) => Reflect.set(target, name, value),
    defineProperty: (target, name, descriptor) => Reflect.defineProperty(target, name, descriptor),
  })
  return replaceProperty(process, 'env', () => door)
}
