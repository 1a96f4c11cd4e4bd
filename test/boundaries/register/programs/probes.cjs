// What a CommonJS module takes hold of when it loads, long before any run.
const os = require('node:os')
const { cpus } = require('node:os')
const crypto = require('node:crypto')
const { randomUUID, randomBytes, randomInt, randomFillSync, getRandomValues } = require('node:crypto')
const { randomFill, webcrypto } = crypto
const { setTimeout: promisedTimeout, setImmediate: promisedImmediate, scheduler } = require('node:timers/promises')
const { setTimeout: moduleTimeout } = require('node:timers')
const { promisify } = require('node:util')
const { ulid, monotonicFactory } = require('ulid')

const { now } = Date
const { random } = Math
const { hrtime, uptime, memoryUsage, cpuUsage, resourceUsage } = process
const { bigint } = process.hrtime
const { setTimeout: globalTimeout, AbortSignal: Signal } = globalThis
const timeoutSignal = AbortSignal.timeout.bind(AbortSignal)
const EarlyDate = Date
const performanceNow = performance.now.bind(performance)
const wait = promisify(setTimeout)
const nextUlid = monotonicFactory()
const { format } = new Intl.DateTimeFormat('en', { fractionalSecondDigits: 3 })
const webRandomUuid = globalThis.crypto.randomUUID.bind(globalThis.crypto)
const boundUuid = crypto.randomUUID.bind(crypto)
class Moment extends Date {}

/** What a callback is called with; bytes as text. */
function calledBack(call) {
  return new Promise((resolve, reject) => {
    call((error, value) =>
      error === null || error === undefined ? resolve(Buffer.isBuffer(value) ? value.toString('hex') : value) : reject(error),
    )
  })
}

/** Draws and clocks: none gives the same later. */
exports.reads = {
  'randomUUID of node:crypto': () => randomUUID(),
  'randomUUID of node:crypto, bound': () => boundUuid(),
  'randomUUID of the global crypto, bound': () => webRandomUuid(),
  'randomBytes of node:crypto': () => randomBytes(8).toString('hex'),
  'randomBytes of node:crypto, called back': () => calledBack((done) => randomBytes(8, done)),
  'randomInt of node:crypto': () => randomInt(2 ** 47),
  'randomInt of node:crypto, called back': () => calledBack((done) => randomInt(2 ** 47, done)),
  'randomFill of node:crypto, called back': () => calledBack((done) => randomFill(Buffer.alloc(8), done)),
  'webcrypto of node:crypto': () => webcrypto.randomUUID(),
  'randomFillSync of node:crypto': () => randomFillSync(Buffer.alloc(8)).toString('hex'),
  'getRandomValues of node:crypto': () => Buffer.from(getRandomValues(new Uint8Array(8))).toString('hex'),
  'Math.random': () => random(),
  'Date.now': () => now(),
  Date: () => new EarlyDate().getTime(),
  'a subclass of Date': () => new Moment().getTime(),
  'process.hrtime': () => hrtime(),
  'process.hrtime.bigint': () => String(bigint()),
  'process.uptime': () => uptime(),
  'performance.now': () => performanceNow(),
  'format of Intl.DateTimeFormat': () => format(),
  'cpus of node:os': () => JSON.stringify(cpus()),
  'os.cpus': () => JSON.stringify(os.cpus()),
  'process.memoryUsage': () => JSON.stringify(memoryUsage()),
  'process.cpuUsage': () => cpuUsage(),
  'process.resourceUsage': () => JSON.stringify(resourceUsage()),
  ulid: () => ulid(),
  'ulid, monotonic': () => nextUlid(),
}

/** Waits. Each resolves to nothing. */
exports.waits = {
  'setTimeout of node:timers/promises': () => promisedTimeout(5),
  'setImmediate of node:timers/promises': () => promisedImmediate().then(() => promisedTimeout(5)),
  'scheduler of node:timers/promises': () => scheduler.wait(5),
  'setTimeout of node:timers': () => new Promise((resolve) => moduleTimeout(resolve, 5)),
  setTimeout: () => new Promise((resolve) => globalTimeout(resolve, 5)),
  'promisify(setTimeout)': () => wait(5),
  AbortSignal: () => new Promise((resolve) => Signal.timeout(5).addEventListener('abort', () => resolve())),
  'AbortSignal.timeout, bound': () => new Promise((resolve) => timeoutSignal(5).addEventListener('abort', () => resolve())),
}
