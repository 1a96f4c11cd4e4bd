import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it, vi } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'

afterEach(() => vi.unstubAllGlobals())

// What test environments with a document do: their window's classes stand in the place of Node's.
it('keeps bodies, though the global classes of bytes are those of another realm', async () => {
  const server = createServer((request, response) => request.pipe(response)).listen(0)
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const bytes = new TextEncoder().encode('asked')
  const agent = async (): Promise<string> => await (await fetch(url, { method: 'POST', body: bytes })).text()
  for (const name of ['Uint8Array', 'ArrayBuffer']) vi.stubGlobal(name, runInNewContext(name))
  const { trace } = await recordRun(agent)
  const run = await replay(trace, agent)
  vi.unstubAllGlobals()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(trace.steps.map(({ input, output }) => [input, output])).toEqual([
    [expect.objectContaining({ text: 'asked' }), expect.objectContaining({ text: 'asked' })],
  ])
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'asked' }])
})
