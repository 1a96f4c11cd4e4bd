import { openAsBlob } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { server, testUploads, uploads } from '../../support/uploads.ts'

afterAll(() => server.close())

// The other ways: uploads.slow.test.ts.
testUploads(Object.entries(uploads).filter(([name]) => ['a fetch of a stream', 'an http.request that is written to'].includes(name)))

it('stops an agent whose upload never ends', { timeout: 10_000 }, async () => {
  const { trace } = await recordRun(async () => await uploads['a fetch of a stream']?.([1]))
  const run = await replay(trace, () => fetch(server.url, { method: 'POST', body: new ReadableStream({}), duplex: 'half' } as RequestInit))
  expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'input', step: 1, parts: ['body'] } })
})

it('waits for a body that is read from a file', async () => {
  const agent = async (): Promise<unknown> => {
    const form = new FormData()
    form.append('file', await openAsBlob(import.meta.filename), 'uploads.ts')
    return (await (await fetch(server.url, { method: 'POST', body: form })).text()).length > 1000
  }
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
})
