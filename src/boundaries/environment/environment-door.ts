import type { AnsweredRun } from '../../run/active-run.ts'
import { answeredScope } from '../../run/scope.ts'
import { replaceProperty, type Restore } from '../patches.ts'

/**
 * `process.env`: a replayed run sees the recorded environment variables, including those that were not set, and otherwise this process's.
 * Only replays open this door.
 */
export function environmentDoor(): Restore {
  const real = process.env
  const door = new Proxy(real, {
    get: (target, name) => (isRecorded(name) ? recordedOf(name) : Reflect.get(target, name)),
    has: (target, name) => (isRecorded(name) ? recordedOf(name) !== undefined : Reflect.has(target, name)),
    // Writes go to the real environment, because only that notifies Node of a change to `TZ`.
    set(target, name, value) {
      if (!isRecorded(name)) return Reflect.set(target, name, value)
      environmentOf()?.set(name, String(value))
      return true
    },
    deleteProperty(target, name) {
      if (!isRecorded(name)) return Reflect.deleteProperty(target, name)
      environmentOf()?.set(name, null)
      return true
    },
    ownKeys(target) {
      const recorded = [...(environmentOf() ?? [])]
      const set = recorded.flatMap(([name, value]) => (value === null ? [] : [name]))
      const others = Reflect.ownKeys(target).filter((name) => !isRecorded(name))
      return [...others, ...set]
    },
    getOwnPropertyDescriptor(target, name) {
      if (!isRecorded(name)) return Reflect.getOwnPropertyDescriptor(target, name)
      const value = recordedOf(name)
      return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true }
    },
  })
  return replaceProperty(process, 'env', () => door)
}

function environmentOf(): AnsweredRun['environment'] | undefined {
  return answeredScope()?.run.environment
}

function isRecorded(name: string | symbol): name is string {
  return typeof name === 'string' && environmentOf()?.has(name) === true
}

function recordedOf(name: string): string | undefined {
  return environmentOf()?.get(name) ?? undefined
}
