import { currentScope } from '../../run/scope.ts'
import { combine, replaceGetter, replaceProperty, type Restore } from '../patches.ts'
import { performance } from 'node:perf_hooks'
import type { ActiveRun } from '../../run/active-run.ts'
import { knownOrMade } from '../../trace/remember.ts'

/** The prototype of Node's clock. A test runner may replace the global `Performance` with a document's, or it may be missing. */
const performancePrototype: Performance = Object.getPrototypeOf(performance) as Performance

/** `performance.now()`, `process.hrtime()`, `process.hrtime.bigint()` and `process.uptime()`. */
export function monotonicDoor(): Restore {
  return combine(performanceDoor(), hrtimeDoor(), uptimeDoor())
}

function performanceDoor(): Restore {
  return replaceProperty(performancePrototype, 'now', (realNow) => {
    return function now(this: Performance): number {
      const scope = currentScope()
      // Node itself refuses anything but a clock.
      if (scope === undefined || !Object.prototype.isPrototypeOf.call(performancePrototype, this)) return realNow.call(this)
      // Whole microseconds are the clock's resolution, and differences between them are exact.
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

/**
 * `performance.timeOrigin`: when the process started. Code adds `performance.now()` to it to get the time, so a replay returns the recorded
 * value. It is read once per run, in whole milliseconds.
 */
export function timeOriginDoor(): Restore {
  const origins = new WeakMap<ActiveRun, number>()
  return replaceGetter(performancePrototype, 'timeOrigin', (original) => {
    return function timeOrigin(this: unknown): number {
      const scope = currentScope()
      if (scope === undefined) return original.call(this)
      return knownOrMade(origins, scope.run, () => scope.run.readClock(scope.owner, () => Math.round(original.call(this))))
    }
  })
}

/** `performance.mark()` and `performance.measure()`, which read the clock inside Node if they are not given a time. */
export function marksDoor(): Restore {
  return combine(
    replaceProperty(performancePrototype, 'mark', (original) => {
      return function mark(this: Performance, name: string, options?: PerformanceMarkOptions): PerformanceMark {
        const takesNow = currentScope() !== undefined && options?.startTime === undefined
        return original.call(this, name, takesNow ? { ...options, startTime: this.now() } : options)
      }
    }),
    replaceProperty(performancePrototype, 'measure', (original) => {
      return function measure(
        this: Performance,
        name: string,
        start?: string | PerformanceMeasureOptions,
        end?: string,
      ): PerformanceMeasure {
        const options = currentScope() === undefined || end !== undefined ? undefined : endingNow(start, () => this.now())
        return options === undefined ? original.call(this, name, start, end) : original.call(this, name, options)
      }
    }),
  )
}

/** Returns the options of a measure that ends now; undefined if it ends at a different time. */
function endingNow(start: string | PerformanceMeasureOptions | null | undefined, now: () => number): PerformanceMeasureOptions | undefined {
  if (start === undefined || start === null) return { end: now() }
  if (typeof start === 'string') return { start, end: now() }
  const { start: begin, end, duration, detail } = start
  if (end !== undefined || (begin !== undefined && duration !== undefined)) return undefined
  // Node ignores a duration alone.
  return { detail, end: now(), ...(begin === undefined ? {} : { start: begin }) }
}
