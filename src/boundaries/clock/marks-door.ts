import { currentScope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { performancePrototype } from './performance-prototype.ts'

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

/** The options of a measure that ends now; undefined if it ends at a different time. */
function endingNow(start: string | PerformanceMeasureOptions | null | undefined, now: () => number): PerformanceMeasureOptions | undefined {
  if (start === undefined || start === null) return { end: now() }
  if (typeof start === 'string') return { start, end: now() }
  const { start: begin, end, duration, detail } = start
  if (end !== undefined || (begin !== undefined && duration !== undefined)) return undefined
  // Node ignores a duration alone.
  return { detail, end: now(), ...(begin === undefined ? {} : { start: begin }) }
}
