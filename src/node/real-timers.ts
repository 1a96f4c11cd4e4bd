import { processWide } from './process-wide.ts'

/**
 * The timers from before any door opened, for work outside the run, above all the conductor's. Captured by the first copy of the package
 * that is loaded, because a later one would find the first one's doors.
 */
export const realTimers: RealTimers = processWide('real-timers', () => ({
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  queueMicrotask: globalThis.queueMicrotask,
  now: performance.now.bind(performance),
  maximumDelay: 2 ** 31 - 1,
}))

interface RealTimers {
  readonly setTimeout: typeof globalThis.setTimeout
  readonly clearTimeout: typeof globalThis.clearTimeout
  readonly setImmediate: typeof globalThis.setImmediate
  readonly queueMicrotask: typeof globalThis.queueMicrotask
  /** Returns milliseconds since the process started. */
  now(): number
  /** The longest delay that Node's timers accept, in milliseconds; a longer one counts as 1. */
  readonly maximumDelay: number
}
