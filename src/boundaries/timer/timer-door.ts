import timers from 'node:timers'
import { promisify } from 'node:util'
import timersPromises from 'node:timers/promises'
import type { RunTimer } from '../../run/active-run.ts'
import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { realTimers } from './real-timers.ts'
import { RunTimeout, runTimeoutOf } from './run-timeout.ts'

type Callback = (...args: unknown[]) => void

// What tells the run of a pending immediate that it is done.
const immediates = new WeakMap<object, () => void>()

/** `setTimeout`, `setInterval`, `setImmediate` and what clears them, as globals and as named imports of `node:timers`. */
export function timerDoor(): Restore {
  const restores = [globalThis, timers].flatMap((home) => [
    replaceProperty(home, 'setTimeout', (real) => withCustomPromise(startDoor(real, false))),
    replaceProperty(home, 'setInterval', (real) => startDoor(real, true) as typeof real),
    replaceProperty(home, 'clearTimeout', (real) => clearDoor(real)),
    replaceProperty(home, 'clearInterval', (real) => clearDoor(real)),
    replaceProperty(home, 'setImmediate', (real) => immediateDoor(real)),
    replaceProperty(home, 'clearImmediate', (real) => clearImmediateDoor(real)),
  ])
  return combine(...restores)
}

function startDoor(real: (callback: Callback, delay?: number, ...args: unknown[]) => unknown, repeats: boolean) {
  return (callback: Callback, delay?: number, ...args: unknown[]): unknown => {
    const scope = currentScope()
    if (scope === undefined || typeof callback !== 'function') return real(callback, delay, ...args)
    const timer: RunTimer = scope.run.startTimer(scope.owner, wholeDelay(delay), repeats, () => {
      if (!timer.active) handle.forget()
      callback(...args)
    })
    const handle = new RunTimeout(timer)
    return handle
  }
}

function clearDoor<Clear extends (handle?: never) => void>(real: Clear): Clear {
  return ((handle: unknown) => {
    const own = runTimeoutOf(handle)
    if (own === undefined) return Reflect.apply(real, undefined, [handle])
    own.close()
  }) as Clear
}

/** A real immediate; on replay the run is not idle while one is pending. */
function immediateDoor(real: typeof setImmediate): typeof setImmediate {
  const door = (callback: Callback, ...args: unknown[]): NodeJS.Immediate => {
    const scope = currentScope()
    if (scope === undefined || scope.run.mode === 'record') return real(callback, ...args)
    const done = scope.run.busy()
    const immediate = real(() => {
      done()
      callback(...args)
    })
    immediates.set(immediate, done)
    return immediate
  }
  const promised = (): Promise<void> => new Promise((resolve) => door(() => resolve()))
  return Object.assign(door as typeof setImmediate, { [promisify.custom]: promised })
}

function clearImmediateDoor(real: typeof clearImmediate): typeof clearImmediate {
  return (immediate) => {
    if (typeof immediate === 'object') immediates.get(immediate)?.()
    real(immediate)
  }
}

/** `promisify(setTimeout)` is mostly called long before the run: what it gives has to find the run when it is called itself. */
function withCustomPromise(door: unknown): typeof setTimeout {
  return Object.defineProperty(door as typeof setTimeout, promisify.custom, { get: () => timersPromises.setTimeout, configurable: true })
}

/** As Node reads a delay: at least 1 ms, whole, and 1 ms where it is no number or too long for its clock. */
function wholeDelay(delay: unknown): number {
  const milliseconds = Number(delay)
  return milliseconds >= 1 && milliseconds <= realTimers.maximumDelay ? Math.trunc(milliseconds) : 1
}
