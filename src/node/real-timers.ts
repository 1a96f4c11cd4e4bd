import { processWide } from './process-wide.ts'

/**
 * The timers from before any door opened, for work outside the run, above all the conductor's. Taken by the first copy of the package
 * that is loaded: a later one would find the doors of the first.
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
  /** Milliseconds since the process started. */
  now(): number
  /** The longest delay that Node's clock takes, in milliseconds; a longer one counts as 1. */
  readonly maximumDelay: number
}
