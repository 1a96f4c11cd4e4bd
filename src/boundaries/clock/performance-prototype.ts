import { performance } from 'node:perf_hooks'

/** The prototype of Node's clock. The global `Performance` may be replaced by a test runner with that of a document, or be missing. */
export const performancePrototype: Performance = Object.getPrototypeOf(performance) as Performance
