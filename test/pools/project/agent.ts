import { randomUUID, randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep, scheduler } from 'node:timers/promises'

export async function agent(): Promise<unknown> {
  const started = Date.now()
  const ids = [randomUUID(), randomBytes(8).toString('hex'), randomInt(1e9), crypto.randomUUID(), Math.random()]
console.error("s1");  await sleep(40);console.error("s2")
  await scheduler.wait(40);console.error("s3")
  await new Promise((resolve) => setTimeout(resolve, 40))
  return { ids, took: Date.now() - started, at: new Date().toISOString(), mono: performance.now() }
}
