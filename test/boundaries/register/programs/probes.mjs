// The same in an ES module: named imports, and what a module takes hold of when it loads.
import { getRandomValues, randomBytes, randomFillSync, randomInt, randomUUID, webcrypto } from 'node:crypto'
import { performance as namedPerformance } from 'node:perf_hooks'
import { hrtime, uptime } from 'node:process'
import { setTimeout as moduleTimeout } from 'node:timers'
import {
  scheduler,
  setImmediate as promisedImmediate,
  setInterval as promisedInterval,
  setTimeout as promisedTimeout,
} from 'node:timers/promises'

const { now } = Date
const EarlyDate = Date

/** Draws and clocks: none gives the same later. */
export const reads = {
  'randomUUID of node:crypto': () => randomUUID(),
  'webcrypto of node:crypto': () => webcrypto.randomUUID(),
  'randomBytes of node:crypto': () => randomBytes(8).toString('hex'),
  'randomInt of node:crypto': () => randomInt(2 ** 47),
  'randomFillSync of node:crypto': () => randomFillSync(Buffer.alloc(8)).toString('hex'),
  'getRandomValues of node:crypto': () => Buffer.from(getRandomValues(new Uint8Array(8))).toString('hex'),
  'Math.random': () => Math.random(),
  'Date.now': () => now(),
  Date: () => new EarlyDate().getTime(),
  'hrtime of node:process': () => [hrtime(), String(hrtime.bigint())],
  'uptime of node:process': () => uptime(),
  'performance of node:perf_hooks': () => namedPerformance.now(),
  'format of Intl.DateTimeFormat': () => new Intl.DateTimeFormat('en', { fractionalSecondDigits: 3 }).format(),
}

/** Waits. Each resolves to nothing. */
export const waits = {
  'setTimeout of node:timers/promises': () => promisedTimeout(5),
  'setImmediate of node:timers/promises': () => promisedImmediate().then(() => promisedTimeout(5)),
  'setInterval of node:timers/promises': async () => {
    for await (const _ of promisedInterval(5)) return
  },
  'scheduler of node:timers/promises': () => scheduler.wait(5),
  'setTimeout of node:timers': () => new Promise((resolve) => moduleTimeout(resolve, 5)),
  'AbortSignal.timeout': () => new Promise((resolve) => AbortSignal.timeout(5).addEventListener('abort', () => resolve())),
}
