import { bindScope } from '../../run/scope.ts'
import { isThenable } from '../../run/is-thenable.ts'

/** Is notified of the result of a call before the agent is. */
export interface Told {
  settle?(value: unknown): void
  fail(error: unknown): void
}

/** The arguments of a call. If the last one is the agent's callback, it runs in its own context. */
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
 * Makes a call that may return a promise, and reports how it settles. The promise itself is left alone: with a second reaction, V8 no longer
 * finds the agent's functions for an error's stack, and Node no longer reports an unhandled rejection.
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

/** For a driver that makes promises differently. */
function hearResult<Result>(result: Result, told: Told): Result {
  if (isThenable(result))
    result.then(
      (value) => told.settle?.(value),
      (error: unknown) => told.fail(error),
    )
  return result
}
