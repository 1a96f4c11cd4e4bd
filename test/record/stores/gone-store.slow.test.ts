import { expect, it } from 'vitest'
import { expectCounted, runWithGoneStore } from '../../support/gone-store.ts'

const credentials = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }

it.each(['url', 'object'])('counts the runs of a bucket that never answers as failed, says so, and ends (a store by %s)', async (made) => {
  expectCounted(await runWithGoneStore(['hangs', '', 'ends', made], credentials), 10)
})

it('says how many runs a bucket does not have where a process exits without closing', async () => {
  const { status, stderr } = await runWithGoneStore(['hangs', '', 'exits without closing'], credentials)
  expect(status).toBe(3)
  expect(stderr).toContain('goldenrun: the process exits before 10 runs are stored. Await recorder.close() before process.exit().\n')
})
