import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { http, HttpResponse } from 'msw-2'
import { setupServer } from 'msw-2/node'
import { afterEach, expect, it, vi } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'
import type { MswHandler } from '../../src/replay/contract/replay-options.ts'
import { replay } from '../../src/replay/replay.ts'
import { fork } from '../../src/travel/fork.ts'
import { recordRun } from '../support/record-run.ts'
import { toGoldenTrace } from '../support/replay-clean.ts'

// The oldest MSW that is supported, in the place of the one that is installed.
vi.mock('msw', () => import('msw-2'))

const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function recordAgent(): Promise<{
  url: string
  agent: () => Promise<string>
  trace: Awaited<ReturnType<typeof recordRun>>['trace']
}> {
  const shop = createServer((_request, response) => response.end('on its way')).listen(0)
  await new Promise((resolve) => shop.once('listening', resolve))
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/orders/1`
  const agent = async (): Promise<string> => await (await fetch(url)).text()
  const { trace } = await recordRun(agent)
  shop.closeAllConnections()
  await new Promise((resolve) => shop.close(resolve))
  return { url, agent, trace: toGoldenTrace(trace) }
}

it('replays past a server of MSW 2 that refuses what it does not know', async () => {
  const { agent, trace } = await recordAgent()
  const server = setupServer()
  server.listen({ onUnhandledRequest: 'error' })
  servers.push(server)
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'on its way' }])
})

it('replays past it where it was started when the doors were open already, and leaves other calls to it', async () => {
  const { agent, trace } = await recordAgent()
  const release = installDoors()
  const server = setupServer(http.get('https://shop.example/status', () => HttpResponse.text('open')))
  server.listen({ onUnhandledRequest: 'error' })
  servers.push(server)
  const status = async (): Promise<string> => await (await fetch('https://shop.example/status')).text()
  const [run, beside] = await Promise.all([replay(trace, agent), status()])
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'on its way' }])
  expect([beside, await status()]).toEqual(['open', 'open'])
  release()
})

it('asks a fetch that the agent has wrapped itself', async () => {
  const { agent, trace } = await recordAgent()
  const release = installDoors()
  const { fetch: door } = globalThis
  let asked = 0
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => ((asked += 1), await door(...args)))
  const run = await replay(trace, agent)
  vi.unstubAllGlobals()
  expect([run.divergences, asked]).toEqual([[], 1])
  release()
})

it('gives handlers to a server of MSW 2', async () => {
  const { url, trace } = await recordAgent()
  const { goldenHandlers } = await import('../../src/msw.ts')
  const server = setupServer(...(goldenHandlers(trace) as never[]))
  server.listen({ onUnhandledRequest: 'error' })
  servers.push(server)
  expect(await (await fetch(url)).text()).toBe('on its way')
  await expect(fetch(url)).rejects.toThrow('Cannot bypass a request')
})

it('is answered by handlers of MSW 2', async () => {
  const { agent, trace } = await recordAgent()
  const handlers = [http.get('https://shop.example/status', () => HttpResponse.text('open'))] as unknown as MswHandler[]
  const more = async (): Promise<string> => `${await agent()}, ${await (await fetch('https://shop.example/status')).text()}`
  const { outcome } = await fork(trace, more, { handlers })
  expect(outcome).toEqual({ status: 'returned', output: 'on its way, open' })
})
