import { answeredScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'

/** A method, or a class that can also be called. */
type Localized = ((this: unknown, ...args: unknown[]) => unknown) & (new (...args: unknown[]) => object)

/** Methods with a locale, and the index of that argument. */
const methods: readonly (readonly [home: object, name: string, index: number])[] = [
  [Number.prototype, 'toLocaleString', 0],
  [BigInt.prototype, 'toLocaleString', 0],
  [Date.prototype, 'toLocaleString', 0],
  [Date.prototype, 'toLocaleDateString', 0],
  [Date.prototype, 'toLocaleTimeString', 0],
  [String.prototype, 'toLocaleUpperCase', 0],
  [String.prototype, 'toLocaleLowerCase', 0],
  [String.prototype, 'localeCompare', 1],
]

/**
 * The default locale: without an explicit locale, a replayed run gets the recording's. Node reads its own once at start, so the locale is
 * passed to every method that falls back on it. Only replays with a different locale open this door.
 */
export function localeDoor(): Restore {
  const homes = Intl as unknown as Record<string, unknown>
  const classes = Object.getOwnPropertyNames(Intl).filter((name) => /^[A-Z]/.test(name) && 'supportedLocalesOf' in Object(homes[name]))
  return combine(
    ...classes.map((name) => replaceProperty(homes, name, (original) => door(original as Localized, 0))),
    ...methods.map(([home, name, index]) => replaceProperty(home as Record<string, Localized>, name, (original) => door(original, index))),
  )
}

function door(original: Localized, index: number): Localized {
  return new Proxy(original, {
    construct: (target, args: unknown[], newTarget) => Reflect.construct(target, withLocale(args, index), newTarget) as object,
    apply: (target, self, args: unknown[]) => Reflect.apply(target, self, withLocale(args, index)),
  })
}

function withLocale(args: readonly unknown[], index: number): unknown[] {
  const run = answeredScope()?.run
  const completed = [...args]
  if (run !== undefined && args[index] === undefined) completed[index] = run.locale
  return completed
}
