import { performance as nodePerformance } from 'node:perf_hooks'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { currentScope, scopeBelow } from '../run/scope.ts'
import { processWide } from '../node/process-wide.ts'
import { combine, replaceProperty, type Restore, syncNamedImports } from './patches.ts'
import { realTimers } from '../node/real-timers.ts'

/** A property that a test may replace, with its value when the doors were opened. */
interface Covered {
  readonly home: Home
  readonly key: string
  readonly door: object
}

type Home = Record<string, object | undefined>

/** Properties that fake timers replace. */
const timerNames = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'] as const
/** Includes `fetch`, which a server of MSW 2 replaces. */
const names: readonly (readonly [home: object, keys: readonly string[]])[] = [
  [globalThis, [...timerNames, 'Date', 'performance', 'Intl', 'Temporal', 'queueMicrotask', 'fetch']],
  [process, ['hrtime', 'nextTick']],
  [timers, timerNames],
  [timersPromises, ['setTimeout', 'setInterval', 'setImmediate']],
]

// All copies of the package share their covers.
const covers = processWide('covers', () => ({ users: 0, restores: [] as Restore[], proxies: new WeakSet<object>() }))

// Not doors, but captured equally early, because Node needs them in and for a run. They are never faked during a replay.
const unwatched: Readonly<Record<string, object>> = { queueMicrotask: realTimers.queueMicrotask, nextTick: process.nextTick }

/** Returns the values that the properties have in a run. Called when all doors are open. */
export function readCovered(): readonly Covered[] {
  return names.flatMap(([home, keys]) =>
    keys.flatMap((key) => {
      // A document has its own clock.
      const door = key === 'performance' ? nodePerformance : (unwatched[key] ?? (home as Home)[key])
      return door === undefined ? [] : [{ home: home as Home, key, door }]
    }),
  )
}

/**
 * Covers doors that a test has replaced with fake timers: in a run, the cover calls the door; outside, it calls the test's replacement. The
 * last release removes the covers.
 */
export function coverDoors(covered: readonly Covered[]): Restore {
  const replaced = covered.filter(
    ({ home, key, door }) => home[key] !== door && !covers.proxies.has(home[key] ?? {}) && (key !== 'fetch' || isOfInterceptors(home[key])),
  )
  covers.restores.push(
    ...replaced.map(({ home, key, door }) =>
      replaceProperty(home, key, (fake) => (fake === undefined || key in unwatched ? door : cover(fake, door))),
    ),
  )
  if (replaced.length > 0) syncNamedImports()
  covers.users += 1
  return () => {
    covers.users -= 1
    if (covers.users > 0 || covers.restores.length === 0) return
    combine(...covers.restores.splice(0))()
    syncNamedImports()
  }
}

/**
 * Returns whether a `fetch` belongs to `@mswjs/interceptors`, which MSW 2 uses. Before 0.45, a symbol on the function identifies it; in
 * later versions its name does, and a global symbol while it is applied. Any other `fetch` (a tracer's) belongs to the agent, and calls go
 * through it.
 */
function isOfInterceptors(fetch: object | undefined): boolean {
  if (typeof fetch !== 'function') return false
  if (Object.getOwnPropertySymbols(fetch).some(({ description }) => description === 'isPatchedModule')) return true
  return fetch.name === 'fetchProxy' && Symbol.for('fetch-interceptor') in globalThis
}

/** @note The proxy's target is neither the fake nor the door, because a proxy of a class must not change its `prototype`. */
function cover(fake: object, door: object): object {
  // Below a boundary it is the door too, because Node's own work for a run must not depend on the test.
  const meant = (): object => (currentScope() === undefined && scopeBelow() === undefined ? fake : door)
  const proxy: object = new Proxy(typeof fake === 'function' ? function covered() {} : {}, {
    apply: (_target, self, args) => Reflect.apply(meant() as () => unknown, self, args),
    construct(_target, args, newTarget) {
      const constructor = meant() as new () => object
      return Reflect.construct(constructor, args, newTarget === proxy ? constructor : newTarget) as object
    },
    get(_target, key) {
      const owner = meant()
      const value: unknown = Reflect.get(owner, key)
      // Methods of Node's clock need it as `this`.
      return owner === nodePerformance && typeof value === 'function' ? (value.bind(owner) as unknown) : value
    },
    set: (_target, key, value) => Reflect.set(meant(), key, value),
    has: (_target, key) => Reflect.has(meant(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(meant()),
  })
  covers.proxies.add(proxy)
  return proxy
}
