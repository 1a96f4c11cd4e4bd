// The same in an ES module: named imports, and what a module takes hold of when it loads.
import { getRandomValues, randomBytes, randomFill, randomFillSync, randomInt, randomUUID, webcrypto } from 'node:crypto'
import os, { cpus } from 'node:os'
import { performance as namedPerformance } from 'node:perf_hooks'
import { cpuUsage, hrtime, memoryUsage, resourceUsage, uptime } from 'node:process'
import { setTimeout as moduleTimeout } from 'node:timers'
import {
  scheduler,
  setImmediate as promisedImmediate,
  setInterval as promisedInterval,
  setTimeout as promisedTimeout,
} from 'node:timers/promises'

import { createId } from '@paralleldrive/cuid2'
import { customAlphabet, nanoid } from 'nanoid'
import { monotonicFactory, ulid } from 'ulid'
import { v1, v4, v7 } from 'uuid'

const { now } = Date
const EarlyDate = Date
const nextUlid = monotonicFactory()
const pin = customAlphabet('0123456789', 12)

/** Draws and clocks: none gives the same later. */
export const reads = {
  'randomUUID of node:crypto': () => randomUUID(),
  'webcrypto of node:crypto': () => webcrypto.randomUUID(),
  'randomBytes of node:crypto': () => randomBytes(8).toString('hex'),
  'randomBytes of node:crypto, called back': () => calledBack((done) => randomBytes(8, done)),
  'randomInt of node:crypto': () => randomInt(2 ** 47),
  'randomInt of node:crypto, called back': () => calledBack((done) => randomInt(2 ** 47, done)),
  'randomFill of node:crypto, called back': () => calledBack((done) => randomFill(Buffer.alloc(8), done)),
  'the global crypto': () => crypto.randomUUID(),
  'randomFillSync of node:crypto': () => randomFillSync(Buffer.alloc(8)).toString('hex'),
  'getRandomValues of node:crypto': () => Buffer.from(getRandomValues(new Uint8Array(8))).toString('hex'),
  'Math.random': () => Math.random(),
  'Date.now': () => now(),
  Date: () => new EarlyDate().getTime(),
  'Date, of now': () => [new Date().getTime(), new Date().toISOString(), new Date().toLocaleString('en', { fractionalSecondDigits: 3 })],
  'hrtime of node:process': () => [hrtime(), String(hrtime.bigint())],
  'uptime of node:process': () => uptime(),
  'performance of node:perf_hooks': () => namedPerformance.now(),
  'performance.now': () => performance.now(),
  'performance.timeOrigin and now': () => performance.timeOrigin + performance.now(),
  'performance.mark': () => performance.mark('probe').startTime,
  'formatToParts of Intl.DateTimeFormat': () => new Intl.DateTimeFormat('en', { fractionalSecondDigits: 3 }).formatToParts(),
  'cpus of node:os': () => JSON.stringify(cpus()),
  'os.cpus': () => JSON.stringify(os.cpus()),
  'memoryUsage of node:process': () => JSON.stringify(memoryUsage()),
  'cpuUsage of node:process': () => cpuUsage(),
  'resourceUsage of node:process': () => JSON.stringify(resourceUsage()),
  'uuid v1': () => v1(),
  'uuid v4': () => v4(),
  'uuid v4, with options': () => v4({}),
  'uuid v7': () => v7(),
  nanoid: () => nanoid(),
  'nanoid of an alphabet': () => pin(),
  ulid: () => ulid(),
  'ulid, monotonic': () => nextUlid(),
  cuid2: () => createId(),
  ...temporalReads(),
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

/** Node has it from 26 on. */
function temporalReads() {
  if (globalThis.Temporal?.Now.timeZoneId === undefined) return {}
  const { Now } = Temporal
  const { instant } = Now
  return {
    'Temporal.Now': () => [Now.instant(), Now.zonedDateTimeISO(), Now.plainDateTimeISO(), Now.plainTimeISO()].map(String),
    'Temporal.Now.instant, taken': () => String(instant()),
  }
}

/** What a callback is called with; bytes as text. */
function calledBack(call) {
  return new Promise((resolve, reject) => {
    call((error, value) =>
      error === null || error === undefined ? resolve(Buffer.isBuffer(value) ? value.toString('hex') : value) : reject(error),
    )
  })
}
