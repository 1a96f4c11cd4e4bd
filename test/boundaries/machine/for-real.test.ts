import { randomBytes, randomUUID } from 'node:crypto'
import os from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { captureAnswer } from '../../../src/travel/databases/capture-answer.ts'

let release: () => void
beforeAll(() => {
  release = installDoors()
})
afterAll(() => release())

/** What drivers of databases ask the machine for. */
function askMachine(): unknown {
  return {
    host: os.hostname(),
    cpu: process.cpuUsage(),
    time: Date.now(),
    monotonic: performance.now(),
    random: Math.random(),
    id: randomUUID(),
    bytes: randomBytes(4),
  }
}

const told = {
  host: os.hostname(),
  cpu: { user: expect.any(Number), system: expect.any(Number) },
  time: expect.closeTo(Date.now(), -5),
  monotonic: expect.any(Number),
  random: expect.any(Number),
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  bytes: expect.any(Buffer),
}

it('tells a driver that a database is asked with for real of this machine', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  captureAnswer(() => resolve(askMachine())).catch(reject)
  expect(await promise).toEqual(told)
})
