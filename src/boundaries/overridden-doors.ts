import { builtins } from '../node/builtins.ts'
import { nameOfProperty } from './locked.ts'
import { isReplacement } from './patches.ts'

/** A function of the global object or of Node that a door replaced when it opened. */
export interface OpenDoor {
  readonly home: object
  readonly key: PropertyKey
}

/** A door, and where programs find its function: `crypto.randomUUID` is a method of the prototype, and a test may put its own before it. */
interface FoundDoor extends OpenDoor {
  readonly found: () => unknown
  /** Whether it gives values rather than makes calls. */
  readonly isRead: boolean
}

/** A door by its name. */
export interface Overridden extends Pick<FoundDoor, 'isRead'> {
  readonly name: string
}

/** Where tests put their mocks, and polyfills their functions. */
const homes = (): readonly object[] => {
  const { crypto, http, https } = builtins
  return [globalThis, Math, Date, crypto, Object.getPrototypeOf(crypto.webcrypto) as object, http, https]
}

/** Returns the doors in these homes, all of which have just opened, but those that are covered in a run. */
export function readOpenDoors(covered: readonly OpenDoor[]): readonly FoundDoor[] {
  const isCovered = (home: object, key: PropertyKey): boolean => covered.some((each) => each.home === home && each.key === key)
  const ofWebCrypto: object = Object.getPrototypeOf(builtins.crypto.webcrypto) as object
  return homes().flatMap((home) =>
    Reflect.ownKeys(home)
      .filter((key) => isReplacement(valueOf(home, key)) && !(isCovered(home, key) && key !== 'fetch'))
      .map((key) => ({
        home,
        key,
        found: () => (home === ofWebCrypto ? Reflect.get(globalThis.crypto, key) : valueOf(home, key)),
        isRead: [Math, Date, builtins.crypto, ofWebCrypto].includes(home),
      })),
  )
}

/**
 * Returns the doors, by name, that other code has replaced since: a test's mock, its setup file, a polyfill. What goes through it does not reach us.
 *
 * @param withReads Whether those that give values count.
 */
export function overriddenOf(doors: readonly FoundDoor[], withReads: boolean): Overridden[] {
  return doors
    .filter(({ found, isRead }) => (withReads || !isRead) && isOther(found()))
    .map(({ home, key, isRead }) => ({ name: nameOfProperty(home, key), isRead }))
}

function isOther(value: unknown): boolean {
  return value !== undefined && !isReplacement(value) && !isUncalledMock(value)
}

/** Whether a mock (of Vitest, Jest, `node:test` or Sinon) knows that it was never called. Nothing can have gone through it. */
function isUncalledMock(value: unknown): boolean {
  if (typeof value !== 'function') return false
  const { mock, callCount } = value as { readonly mock?: { readonly calls?: unknown }; readonly callCount?: unknown }
  const calls = mock?.calls
  return callCount === 0 || (Array.isArray(calls) && calls.length === 0)
}

function valueOf(home: object, key: PropertyKey): unknown {
  return Object.getOwnPropertyDescriptor(home, key)?.value
}
