import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import { createConnectTransport } from '@connectrpc/connect-node'
import { expect } from 'vitest'
import type { Divergence } from '../../../src/divergence/divergence.ts'
import { replay } from '../../../src/replay/replay.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import type { ShopMessage } from './connect-client.ts'
import { clientOf, listenConnect } from './connect-server.ts'

interface Duplex extends AsyncDisposable {
  readonly url: string
}

/** Answers before the body has ended, and then says each piece back. */
async function listenDuplex(server: http.Server | http2.Http2Server): Promise<Duplex> {
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.flushHeaders()
    request.on('data', (piece) => response.write(piece)).on('end', () => response.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}

type Send = (url: string, orders: readonly string[]) => Promise<string>

type Sending = Pick<NodeJS.WritableStream, 'write' | 'end'>

/** The next order is sent once the one before it was said back. */
async function converse(sending: Sending, answer: NodeJS.ReadableStream, orders: readonly string[]): Promise<string> {
  let said = ''
  for (const order of orders.slice(1)) {
    const [piece] = (await once(answer, 'data')) as [Buffer]
    said += String(piece)
    sending.write(`${order}\n`)
  }
  answer.on('data', (piece) => (said += String(piece)))
  sending.end()
  await once(answer, 'end')
  return said
}

const overHttp2: Send = async (url, orders) => {
  const session = http2.connect(url)
  const stream = session.request({ ':method': 'POST', ':path': '/orders' })
  stream.write(`${orders[0]}\n`)
  const said = await converse(stream, stream, orders)
  session.close()
  return said
}

const overHttp1: Send = async (url, orders) => {
  const request = http.request(`${url}/orders`, { method: 'POST', agent: new http.Agent() })
  request.write(`${orders[0]}\n`)
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  return await converse(request, answer, orders)
}

/** Protocols over which a server answers before the request has ended. */
export const duplexes: readonly (readonly [name: string, send: Send, createServer: () => http.Server | http2.Http2Server])[] = [
  ['HTTP/2', overHttp2, () => http2.createServer()],
  ['HTTP/1.1', overHttp1, () => http.createServer()],
]

const orders = ['tea', 'cup', 'pot']

/** Orders of an agent that was changed. */
const changed: readonly (readonly [what: string, orders: readonly string[]])[] = [
  ['changed', ['tea', 'cup', 'pots']],
  ['left out', ['tea', 'cup']],
  ['added', ['tea', 'cup', 'pot', 'pot']],
]

/** How often the unchanged agent is replayed, and whether each change is tried. Default of both: once, and one of them. */
export interface DuplexRounds {
  readonly times?: number
  readonly triesEach?: boolean
}

type Agent = (orders: readonly string[]) => () => Promise<unknown>

/** Gives the divergence of the first change. */
async function expectCompared(trace: Trace, agent: Agent, { times = 1, triesEach = false }: DuplexRounds): Promise<Divergence | undefined> {
  for (let time = 0; time < times; time += 1) await expectClean(trace, agent(orders))
  const found: Divergence[] = []
  for (const [what, other] of triesEach ? changed : changed.slice(0, 1)) {
    const { divergences } = await replay(trace, agent(other))
    expect(divergences, what).not.toEqual([])
    found.push(...divergences)
  }
  return found[0]
}

/** Records a conversation of pieces, and compares it with itself and with a changed one. */
export async function expectDuplexCompared([, send, createServer]: (typeof duplexes)[number], rounds: DuplexRounds = {}): Promise<void> {
  await using server = await listenDuplex(createServer())
  const agent: Agent = (asked) => () => send(server.url, asked)
  const { output, trace } = await recordRun(agent(orders))
  expect(output).toBe('tea\ncup\npot\n')
  const name = `http ${server.url.slice('http://'.length)}/orders send`
  expect(trace.steps.at(-1)).toMatchObject({ name, input: 'cup\npot\n' })
  expect(await expectCompared(trace, agent, rounds)).toMatchObject({ cause: 'input', name, step: 2 })
}

/** The same with a stream of Connect's own protocol. */
export async function expectConnectCompared(rounds: DuplexRounds = {}): Promise<void> {
  await using server = await listenConnect('2')
  const shop = clientOf(createConnectTransport({ baseUrl: server.url, httpVersion: '2' }))
  const agent: Agent = (asked) => async () => {
    const said = async function* (): AsyncGenerator<ShopMessage> {
      for (const id of asked) {
        yield { id }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const heard: unknown[] = []
    for await (const { id } of shop.talk(said())) heard.push(id)
    return heard
  }
  const { output, trace } = await recordRun(agent(orders))
  expect(output).toEqual(['heard tea', 'heard cup', 'heard pot'])
  await expectCompared(trace, agent, rounds)
}
