import crypto, { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { hrtime } from 'node:process'
import { setTimeout as later } from 'node:timers'
import { scheduler, setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

// Taken hold of when the module loads, as many libraries do.
const { randomUUID: earlyUuid } = crypto
const { now } = Date
const { random } = Math
const wait = promisify(setTimeout)
const format = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'full' }).format

/** Reads every clock, draws, and waits, through named imports of Node's modules and through globals. */
export async function agent(): Promise<unknown> {
  const drawn = [
    randomUUID(),
    randomBytes(8).toString('hex'),
    randomInt(2 ** 40),
    crypto.randomUUID(),
    globalThis.crypto.randomUUID(),
    Math.random(),
  ]
  const early = [earlyUuid(), now(), random()]
  await sleep(10)
  await scheduler.wait(10)
  await wait(10)
  await new Promise((resolve) => later(resolve, 10))
  await new Promise((resolve) => setTimeout(resolve, 200))
  const times = [Date.now(), new Date().toISOString(), format(), performance.now(), String(hrtime.bigint())]
  return { drawn, early, times }
}
