import { bindScope } from '../../run/scope.ts'
import { isThenable } from '../../run/is-thenable.ts'

/** Who is to know what a call came to, before the agent does. */
export interface Told {
  settle?(value: unknown): void
  fail(error: unknown): void
}

/** The arguments of a call, with the agent's callback, if the last one is one, in its own context. */
export function withCallback(args: readonly unknown[], told?: Told): unknown[] {
  const callback: unknown = args.at(-1)
  if (typeof callback !== 'function') return [...args]
  const bound = bindScope((...given: unknown[]): unknown => {
    const [error] = given
    if (error === undefined || error === null) told?.settle?.(undefined)
    else told?.fail(error)
    return Reflect.apply(callback, undefined, given)
  })
  return [...args.slice(0, -1), bound]
}

/**
 * Makes a call that may give a promise, and tells what that comes to. The promise itself is left alone: with a second
 * reaction, V8 no longer finds the agent's functions for the stack of an error, and Node no longer tells that nobody handles it.
 *
 * @param name The property in which the driver keeps the class of its promises.
 */
export function hearPromise<Result>(driver: object, name: string, told: Told, call: () => Result): Result {
  const own = Object.getOwnPropertyDescriptor(driver, name)
  const original: unknown = own?.value
  if (typeof original !== 'function' || own?.configurable !== true) return hearResult(call(), told)
  let isMade = false
  const restore = (): void => void Object.defineProperty(driver, name, own)
  const value: unknown = new Proxy(original, {
    construct(target, [executor]: [(...settle: ((value: unknown) => void)[]) => void]): object {
      restore()
      isMade = true
      const execute = (resolve: (value: unknown) => void, reject: (error: unknown) => void): void =>
        executor(
          (given) => {
            told.settle?.(given)
            resolve(given)
          },
          (error) => {
            told.fail(error)
            reject(error)
          },
        )
      return Reflect.construct(target, [execute]) as object
    },
  })
  Object.defineProperty(driver, name, { ...own, value })
  try {
    const result = call()
    return isMade ? result : hearResult(result, told)
  } finally {
    restore()
  }
}

/** A driver that makes promises in another way. */
function hearResult<Result>(result: Result, told: Told): Result {
  if (isThenable(result))
    result.then(
      (value) => told.settle?.(value),
      (error: unknown) => told.fail(error),
    )
  return result
}
