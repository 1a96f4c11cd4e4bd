import { currentScope } from '../../run/scope.ts'
import { combine, isReplacement, replaceProperty, type Restore } from '../patches.ts'

type Home = Record<string, unknown>

/** What `vi.useFakeTimers()` and `jest.useFakeTimers()` put fakes in the place of. */
const fakeable: readonly (readonly [home: Home, names: readonly string[]])[] = [
  [
    globalThis,
    [
      'Date',
      'Intl',
      'clearImmediate',
      'clearInterval',
      'clearTimeout',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setInterval',
      'setTimeout',
    ],
  ],
  [process as unknown as Home, ['hrtime', 'nextTick']],
]

let unfaked: ReadonlyMap<Home, Home> | undefined
let users = 0
let uncover: Restore[] = []

/** Remembers clocks and timers as they are with the doors open. */
export function rememberUnfaked(): void {
  unfaked ??= new Map(fakeable.map(([home, names]) => [home, Object.fromEntries(names.map((name) => [name, home[name]]))]))
}

/**
 * Gives runs the clocks and timers that they have without the fakes of a test runner, which the test around a replay may have put in their place
 * since: a fake's time stands still. Outside of runs the fakes stay.
 */
export function coverFakes(): Restore {
  users += 1
  uncover.push(...fakeable.flatMap(([home, names]) => names.map((name) => coverFake(home, name))))
  return () => {
    users -= 1
    if (users > 0) return
    combine(...uncover)()
    uncover = []
  }
}

function coverFake(home: Home, name: string): Restore {
  const original = unfaked?.get(home)?.[name]
  const current = home[name]
  if (!isObject(original) || !isObject(current) || current === original || isReplacement(current)) return () => undefined
  return replaceProperty(home, name, () => routeRuns(current, original))
}

/** What is `original` to the code of runs, and `fake` to all other. */
function routeRuns(fake: object, original: object): object {
  const chosen = (): object => (currentScope() === undefined ? fake : original)
  // A bound function can be called and made an instance of, and has no `prototype` of its own that would have to be shown.
  // oxlint-disable-next-line eslint/no-extra-bind
  const target: object = typeof fake === 'function' ? function () {}.bind(undefined) : {}
  const door: object = new Proxy(target, {
    apply: (_target, self, args) => Reflect.apply(chosen() as () => unknown, self, args),
    construct: (_target, args, newTarget) => {
      const constructor = chosen() as new () => object
      return Reflect.construct(constructor, args, newTarget === door ? constructor : newTarget)
    },
    get(_target, key) {
      const home = chosen()
      const value: unknown = Reflect.get(home, key)
      // A method of `performance` asks for what it is called on.
      return typeof value === 'function' && typeof home !== 'function' ? value.bind(home) : value
    },
    set: (_target, key, value) => Reflect.set(chosen(), key, value),
    has: (_target, key) => Reflect.has(chosen(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(chosen()),
  })
  return door
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
