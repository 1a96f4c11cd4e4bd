import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { performancePrototype } from './performance-prototype.ts'

/** `performance.now()`, `process.hrtime()`, `process.hrtime.bigint()` and `process.uptime()`. */
export function monotonicDoor(): Restore {
  return combine(performanceDoor(), hrtimeDoor(), uptimeDoor())
}

function performanceDoor(): Restore {
  return replaceProperty(performancePrototype, 'now', (realNow) => {
    return function now(this: Performance): number {
      const scope = currentScope()
      // Anything but a clock is refused by Node itself.
      if (scope === undefined || !Object.prototype.isPrototypeOf.call(performancePrototype, this)) return realNow.call(this)
      // Whole microseconds are the clock's resolution, and differences of them are exact.
      return scope.run.readMonotonic(scope.owner, () => Math.round(realNow.call(this) * 1000)) / 1000
    }
  })
}

function hrtimeDoor(): Restore {
  return replaceProperty(process, 'hrtime', (realHrtime) => {
    const realBigint = realHrtime.bigint
    const bigint = (): bigint => {
      const scope = currentScope()
      if (scope === undefined) return realBigint()
      return BigInt(scope.run.readMonotonic(scope.owner, () => Number(realBigint() / 1000n))) * 1000n
    }
    const hrtime = (since?: [number, number]): [number, number] => {
      if (currentScope() === undefined || (since !== undefined && !isReading(since))) return realHrtime(since)
      const nanoseconds = bigint() - (since === undefined ? 0n : BigInt(since[0]) * 1_000_000_000n + BigInt(since[1]))
      return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)]
    }
    return Object.assign(hrtime, { bigint })
  })
}

function uptimeDoor(): Restore {
  return replaceProperty(process, 'uptime', (realUptime) => () => {
    const scope = currentScope()
    return scope === undefined ? realUptime() : scope.run.readMonotonic(scope.owner, () => Math.round(realUptime() * 1e6)) / 1e6
  })
}

function isReading(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((part) => Number.isInteger(part))
}
