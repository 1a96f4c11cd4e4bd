import { answeredScope } from '../../run/scope.ts'
import { promisify } from 'node:util'
import { shortestLimit } from '../time-limit.ts'

type Exec = (...args: never[]) => unknown

/** The limit of the `exec` or `execFile` call that is starting a process. Node does not expose it. */
let limit: number | undefined

/** Returns the time limit in milliseconds of a process that is started now. @param own The limit that `spawn` was given. */
export function limitOfProcess(own: unknown): number | undefined {
  return shortestLimit(own, limit)
}

/** `exec`, `execFile` and their promisified forms. In a replay, Node keeps no limit, because it would use the machine's clock. */
export function limitDoor<Original extends Exec>(original: Original): Original {
  const door = function (this: never, ...args: never[]): unknown {
    const before = limit
    const isInReplay = answeredScope()?.run.live.isNone === true
    // `exec` calls `execFile`.
    limit = shortestLimit(optionsOf(args).timeout, before)
    try {
      return Reflect.apply(original, this, limit !== undefined && isInReplay ? withoutLimit(args) : args)
    } finally {
      limit = before
    }
  }
  const promised = Reflect.get(original, promisify.custom) as Exec | undefined
  // A promisified function is its own promisified form.
  const own = promised === original ? door : promised && limitDoor(promised)
  if (own !== undefined) Object.defineProperty(door, promisify.custom, { value: own, configurable: true })
  return door as Original
}

function withoutLimit(args: readonly unknown[]): never[] {
  const options = optionsOf(args)
  return args.map((each) => (each === options ? { ...options, timeout: 0 } : each)) as never[]
}

/** The options of a call: `(command[, options])`, `(file[, args][, options])`. */
export function optionsOf(args: readonly unknown[]): Readonly<Record<string, unknown>> {
  const isOptions = (argument: unknown): boolean => typeof argument === 'object' && argument !== null && !Array.isArray(argument)
  return (args.slice(1).find(isOptions) ?? {}) as Readonly<Record<string, unknown>>
}
