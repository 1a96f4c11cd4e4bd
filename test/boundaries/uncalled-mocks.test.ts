import { expect, it, vi } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { installDoors } from '../../src/boundaries/doors.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'

it('names a mock of fetch once it was called, and not before', async () => {
  await using server = await listen(async (_incoming, response) => void response.end('page'))
  const { trace } = await recordRun(async () => await (await fetch(server.url)).text())
  const restore = installDoors()
  const mock = vi.fn<() => Promise<Response>>(async () => new Response('mocked'))
  vi.stubGlobal('fetch', mock)
  const report = async (agent: () => Promise<unknown>): Promise<string> =>
    renderReport(await replay(trace, agent), { color: false, width: 200 })
  expect(await report(async () => 'page')).not.toContain('globalThis.fetch')
  expect(await report(async () => await (await fetch(server.url)).text())).toContain('has replaced globalThis.fetch')
  expect(mock).toHaveBeenCalledTimes(1)
  vi.unstubAllGlobals()
  restore()
})
