import { Agent, get, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

/** Answers `/slow` after 60 ms, `/pieces` in five pieces 12 ms apart, `/head` with nothing but a head, and `/silent` never. */
const server = await listen(async (request, response) => {
  const { url = '' } = request
  if (url === '/silent') return
  if (url === '/head') return response.writeHead(200).flushHeaders()
  if (url === '/slow') await wait(60)
  if (url === '/pieces') for (let piece = 0; piece < 5; piece += 1) await wait(12).then(() => response.write(`${piece} `))
  response.end('end')
})
afterAll(() => server.close())

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Requests, with a limit set on the request. */
function ask(path: string, limit: (request: ClientRequest) => void, options: RequestOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    const request = get(
      `${server.url}${path}`,
      options,
      (response) => void text(response).then(resolve, (error: Error) => resolve(error.message)),
    )
    request.on('error', (error) => resolve(error.message))
    limit(request)
  })
}

const giveUp = (request: ClientRequest): void => void request.destroy(new Error('idle'))

type Way = readonly [name: string, ask: (path: string, limit: number) => Promise<string>]

const ways: readonly Way[] = [
  ['setTimeout', (path, limit) => ask(path, (request) => request.setTimeout(limit, () => giveUp(request)))],
  ['the option timeout', (path, limit) => ask(path, (request) => request.on('timeout', () => giveUp(request)), { timeout: limit })],
  [
    'an agent with a timeout',
    (path, limit) => ask(path, (request) => request.on('timeout', () => giveUp(request)), { agent: new Agent({ timeout: limit }) }),
  ],
  [
    'axios',
    async (path, timeout) => {
      try {
        return (await axios.get<string>(`${server.url}${path}`, { timeout, adapter: 'http' })).data
      } catch (error) {
        return (error as Error).message
      }
    },
  ],
]

const look = tool('look', {}, async (id: string) => Promise.resolve(id))

it.each(ways)('replays a request that %s gave up', async (_name, request) => {
  const agent = async (limit: number): Promise<unknown> => [
    await request('/silent', limit),
    await look('ord_1'),
    await request('/', 60_000),
  ]
  const { trace, output } = await recordRun(() => agent(15))
  expect(output).toMatchObject([expect.stringMatching(/idle|exceeded/), 'ord_1', 'end'])
  await expectClean(trace, () => agent(15))
})

it.each(ways)('finds a limit of %s that is new or shorter', async (_name, request) => {
  const agent = async (limit: number): Promise<unknown> => [await request('/slow', limit), await look('ord_1')]
  const { trace } = await recordRun(() => agent(60_000))
  await expectClean(trace, () => agent(60_000))
  const { divergences } = await replay(trace, () => agent(15))
  expect(divergences[0]).toMatchObject({ cause: 'time-limit', step: 1, received: { limit: 15 } })
})

it.each(ways.slice(0, 2))('finds that a limit of %s is gone', async (_name, request) => {
  const { trace } = await recordRun(() => request('/silent', 15))
  const { divergences } = await replay(trace, () => request('/silent', 0))
  expect(divergences[0]).toMatchObject({ cause: 'time-limit', step: 1 })
})

it.each(ways.slice(0, 3))('starts the limit of %s anew with each piece', async (_name, request) => {
  const agent = (limit: number): Promise<string> => request('/pieces', limit)
  const { trace, output } = await recordRun(() => agent(10_000))
  expect(output).toBe('0 1 2 3 4 end')
  await expectClean(trace, () => agent(10_000))
  const [first = 0, ...rest] = [...rowsOf(trace, 'call'), ...rowsOf(trace, 'head'), ...rowsOf(trace, 'chunk')].map(({ at }) => at)
  const gap = Math.max(...rest.map((at, index) => at - (rest[index - 1] ?? first)))
  await expectClean(trace, () => agent(gap + 1))
})

it('replays a limit of an answer', async () => {
  const agent = (): Promise<string> =>
    new Promise((resolve) => {
      const request = get(`${server.url}/head`, (response: IncomingMessage) => {
        response.on('error', (error) => resolve(error.message))
        response.setTimeout(15, () => response.destroy(new Error('idle')))
        response.resume()
      })
      request.on('error', (error) => resolve(error.message))
    })
  const { trace, output } = await recordRun(agent)
  expect(output).toBe('idle')
  await expectClean(trace, agent)
})

it('has no limit where it was taken back', async () => {
  const agent = (): Promise<string> =>
    ask('/slow', (request) => {
      request.setTimeout(15, () => giveUp(request))
      request.setTimeout(0)
    })
  const { trace, output } = await recordRun(agent)
  expect(output).toBe('end')
  await expectClean(trace, agent)
})

it('replays an agent that is told of a limit, and waits on', async () => {
  const agent = async (): Promise<unknown> => {
    const told: string[] = []
    const answer = await ask('/slow', (request) => request.setTimeout(15, () => void look('late').then((id) => told.push(id))))
    return [answer, told]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(['end', ['late']])
  await expectClean(trace, agent)
})

it.each([false, true])('keeps a limit green that did not fire because the process was busy, with a writing thread: %s', async (thread) => {
  const agent = (): Promise<string> =>
    ask('/', (request) => {
      request.setTimeout(150, () => giveUp(request))
      // The rest of the answer has come with its head, and is read before the limit is looked at.
      request.once('response', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200))
    })
  const { trace, output } = await recordRun(agent, { recorder: { thread } })
  expect(output).toBe('end')
  await expectClean(trace, agent)
})

it('keeps a limit green that was set while the process was busy, beside a longer call', async () => {
  const agent = async (): Promise<unknown> => {
    const slow = ask('/slow', () => undefined)
    await wait(20)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    return await Promise.all([slow, ask('/pieces', (request) => request.setTimeout(35, () => giveUp(request)))])
  }
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
})
