import { expect, it } from 'vitest'
import { expectCounted, runWithGoneStore } from '../support/gone-store.ts'
import { startRedis } from '../support/services.ts'

it.each([
  ['is shut down', 'stops', 'ends', 'url'],
  ['is shut down', 'stops', 'exits', 'url'],
  ['is shut down', 'stops', 'ends', 'object'],
  ['answers no more', 'pauses', 'ends', 'url'],
  ['answers no more', 'pauses', 'ends', 'object'],
])('counts the runs of a Redis that %s as failed, says so, and ends (%s, %s, a store by %s)', async (_what, way, end, made) => {
  await using server = await startRedis()
  expectCounted(await runWithGoneStore([`redis://127.0.0.1:${server.port}`, way, end, made]), 5)
})

it.each(['exits without closing', 'exits while it closes'])('says how many runs Redis does not have where a process %s', async (end) => {
  await using server = await startRedis()
  const { status, stderr } = await runWithGoneStore([`redis://127.0.0.1:${server.port}`, 'stops', end])
  expect(status).toBe(3)
  expect(stderr).toContain('goldenrun: the process exits before 5 runs are stored. Await recorder.close() before process.exit().\n')
})
