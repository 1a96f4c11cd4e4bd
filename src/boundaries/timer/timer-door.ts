import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore, sameEachTime } from '../patches.ts'
import { forgetRunImmediate, startRunImmediate } from './run-immediate.ts'
import { runTimeoutOf, startRunTimeout } from './run-timeout.ts'

type Callback = (...args: unknown[]) => void

/** `setTimeout`, `setInterval`, `setImmediate` and their clear functions, as globals and as named imports of `node:timers`. */
export function timerDoor(): Restore {
  const restores = [globalThis, timers].flatMap((home) => [
    replaceProperty(home, 'setTimeout', timeoutDoorOf),
    replaceProperty(home, 'setInterval', intervalDoorOf),
    replaceProperty(home, 'clearTimeout', clearDoorOf),
    replaceProperty(home, 'clearInterval', clearDoorOf),
    replaceProperty(home, 'setImmediate', immediateDoorOf),
    replaceProperty(home, 'clearImmediate', clearImmediateDoorOf),
  ])
  return combine(...restores)
}

// A global and the export of the same name have to be identical.
const timeoutDoorOf = sameEachTime((real: typeof setTimeout) => promisedAs('setTimeout', startDoor(real, false) as typeof real))
const intervalDoorOf = sameEachTime((real: typeof setInterval) => startDoor(real, true) as typeof real)
const clearDoorOf = sameEachTime(clearDoor<typeof clearTimeout>)
const immediateDoorOf = sameEachTime((real: typeof setImmediate) => promisedAs('setImmediate', immediateDoor(real) as typeof real))
const clearImmediateDoorOf = sameEachTime(clearImmediateDoor)

function startDoor(real: (callback: Callback, delay?: number, ...args: unknown[]) => unknown, repeats: boolean) {
  return (callback: Callback, delay?: number, ...args: unknown[]): unknown => {
    const scope = currentScope()
    if (scope === undefined || typeof callback !== 'function') return real(callback, delay, ...args)
    return startRunTimeout(scope, delay, repeats, (timeout) => Reflect.apply(callback, timeout, args))
  }
}

function clearDoor<Clear extends (handle?: never) => void>(real: Clear): Clear {
  return ((handle: unknown) => {
    const own = runTimeoutOf(handle)
    if (own === undefined) return Reflect.apply(real, undefined, [handle])
    own.close()
  }) as Clear
}

function immediateDoor(real: (callback: Callback, ...args: unknown[]) => NodeJS.Immediate) {
  return (callback: Callback, ...args: unknown[]): NodeJS.Immediate => {
    const scope = currentScope()
    if (scope === undefined || typeof callback !== 'function') return real(callback, ...args)
    const immediate = startRunImmediate(scope, () => Reflect.apply(callback, immediate, args))
    return immediate
  }
}

function clearImmediateDoor(real: typeof clearImmediate): typeof clearImmediate {
  return (immediate) => {
    forgetRunImmediate(immediate)
    real(immediate)
  }
}

/** `promisify(setTimeout)` is usually called long before the run, so the promisified function looks up the run when it is called. */
function promisedAs<Start extends object>(name: 'setTimeout' | 'setImmediate', door: Start): Start {
  return Object.defineProperty(door, promisify.custom, { get: () => timersPromises[name], enumerable: true, configurable: true })
}

/** `AbortSignal.timeout`: its timer is internal to Node, so a run gets a signal with a timer of the run. */
export function abortSignalDoor(): Restore {
  return replaceProperty(AbortSignal, 'timeout', (real) => (delay) => {
    const scope = currentScope()
    // Node refuses a delay that is not a 32-bit number.
    if (scope === undefined || !(delay >= 0 && delay <= 0xffff_ffff)) return real.call(AbortSignal, delay)
    const controller = new AbortController()
    const timeout = startRunTimeout(scope, delay, false, () => {
      controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
    })
    // Like Node's own, it does not keep the process alive.
    timeout.unref()
    return controller.signal
  })
}
