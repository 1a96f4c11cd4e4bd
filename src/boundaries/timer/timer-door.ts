import timers from 'node:timers'
import { promisify } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunTimer } from '../../run/active-run.ts'
import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { realTimers } from './real-timers.ts'
import { RunTimeout } from './run-timeout.ts'

type Callback = (...args: unknown[]) => void

// A program may clear a timer by its number; those of runs are found here.
const byNumber = new Map<number, RunTimeout>()

/** `setTimeout`, `setInterval`, `setImmediate` and what clears them, as globals and as named imports of `node:timers`. */
export function timerDoor(): Restore {
  const restores = [globalThis, timers].flatMap((home) => [
    replaceProperty(home, 'setTimeout', (real) => withCustomPromise(real, startDoor(real, false))),
    replaceProperty(home, 'setInterval', (real) => startDoor(real, true) as typeof real),
    replaceProperty(home, 'clearTimeout', (real) => clearDoor(real)),
    replaceProperty(home, 'clearInterval', (real) => clearDoor(real)),
  ])
  return combine(...restores, ...[globalThis, timers].map((home) => replaceProperty(home, 'setImmediate', (real) => immediateDoor(real))))
}

function startDoor(real: (callback: Callback, delay?: number, ...args: unknown[]) => unknown, repeats: boolean) {
  return (callback: Callback, delay?: number, ...args: unknown[]): unknown => {
    const scope = currentScope()
    if (scope === undefined || typeof callback !== 'function') return real(callback, delay, ...args)
    const timer: RunTimer = scope.run.startTimer(scope.owner, wholeDelay(delay), repeats, () => {
      if (!timer.active) byNumber.delete(Number(handle))
      callback(...args)
    })
    const handle = new RunTimeout(timer)
    byNumber.set(Number(handle), handle)
    return handle
  }
}

function clearDoor<Clear extends (handle?: never) => void>(real: Clear): Clear {
  return ((handle: unknown) => {
    const own = handle instanceof RunTimeout ? handle : byNumber.get(Number(handle))
    if (own === undefined) return Reflect.apply(real, undefined, [handle])
    byNumber.delete(Number(own))
    own.close()
  }) as Clear
}

/** A real immediate; on replay the run is not idle while one is pending. */
function immediateDoor(real: typeof setImmediate): typeof setImmediate {
  const door = (callback: Callback, ...args: unknown[]): NodeJS.Immediate => {
    const scope = currentScope()
    if (scope === undefined || scope.run.mode === 'record') return real(callback, ...args)
    const done = scope.run.busy()
    return real(() => {
      done()
      callback(...args)
    })
  }
  const promised = (): Promise<void> => new Promise((resolve) => door(() => resolve()))
  return Object.assign(door as typeof setImmediate, { [promisify.custom]: promised })
}

function withCustomPromise(real: typeof setTimeout, door: unknown): typeof setTimeout {
  return Object.defineProperty(door as typeof setTimeout, promisify.custom, {
    get: () => (currentScope() === undefined ? Reflect.get(real, promisify.custom) : sleep),
    configurable: true,
  })
}

/** As Node reads a delay: at least 1 ms, whole, and 1 ms where it is no number or too long for its clock. */
function wholeDelay(delay: unknown): number {
  const milliseconds = Number(delay)
  return milliseconds >= 1 && milliseconds <= realTimers.maximumDelay ? Math.trunc(milliseconds) : 1
}
