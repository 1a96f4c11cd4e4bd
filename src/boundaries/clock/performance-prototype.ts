import { performance } from 'node:perf_hooks'

/** The prototype of Node's clock. The global `Performance` may be a document's, or none, where a test runner has put one in its place. */
export const performancePrototype: Performance = Object.getPrototypeOf(performance) as Performance
