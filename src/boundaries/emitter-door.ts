import { EventEmitter } from 'node:events'
import { replaceProperty, type Restore } from './patches.ts'

type Init = (this: object, options: unknown) => void

type Meet = (prototype: object) => void

const watchers = new Set<Meet>()

/**
 * Calls `meet` with the prototype of each class of event emitters when its first instance since the opening of the door is created. This
 * finds even classes that a module does not export, also in a bundle.
 */
export function watchEmitterClasses(meet: Meet): Restore {
  watchers.add(meet)
  return () => void watchers.delete(meet)
}

/** Node's own code calls `EventEmitter.init` for every emitter. */
export function emitterDoor(): Restore {
  const met = new WeakSet<object>()
  // Like Node's own `domain`.
  return replaceProperty(EventEmitter as typeof EventEmitter & { init: Init }, 'init', (original) => {
    return function init(this: object, options) {
      // Every emitter of the process passes here.
      const prototype = Object.getPrototypeOf(this) as object | null
      if (prototype !== null && !met.has(prototype)) {
        met.add(prototype)
        for (const meet of watchers) meet(prototype)
      }
      original.call(this, options)
    }
  })
}

/** Yields the prototypes of an instance, except those of every event emitter. */
export function* prototypesFrom(prototype: object): Generator<object> {
  for (
    let part: object | null = prototype;
    part !== null && part !== EventEmitter.prototype && part !== Object.prototype;
    part = Object.getPrototypeOf(part) as object | null
  ) {
    yield part
  }
}

/** Returns a method without calling getters, which may throw on an instance under construction. */
export function methodOf(value: object, name: string): unknown {
  for (let part: object | null = value; part !== null; part = Object.getPrototypeOf(part) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(part, name)
    if (descriptor !== undefined) return descriptor.value
  }
  return undefined
}
