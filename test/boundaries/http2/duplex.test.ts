import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import { createConnectTransport } from '@connectrpc/connect-node'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
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

const others: readonly (readonly [what: string, orders: readonly string[]])[] = [
  ['changed', ['tea', 'cup', 'pots']],
  ['left out', ['tea', 'cup']],
  ['added', ['tea', 'cup', 'pot', 'pot']],
]

it.each([
  ['HTTP/2', overHttp2, () => http2.createServer()],
  ['HTTP/1.1', overHttp1, () => http.createServer()],
] as const)('compares what is sent over %s after the answer has begun', async (_name, send, createServer) => {
  await using server = await listenDuplex(createServer())
  const agent = (orders: readonly string[]) => () => send(server.url, orders)
  const { output, trace } = await recordRun(agent(['tea', 'cup', 'pot']))
  expect(output).toBe('tea\ncup\npot\n')
  const name = `http ${server.url.slice('http://'.length)}/orders send`
  expect(trace.steps.at(-1)).toMatchObject({ name, input: 'cup\npot\n' })
  for (let time = 0; time < 3; time += 1) await expectClean(trace, agent(['tea', 'cup', 'pot']))
  for (const [what, orders] of others) {
    const { divergences } = await replay(trace, agent(orders))
    expect(divergences, what).not.toEqual([])
  }
  const { divergences } = await replay(trace, agent(['tea', 'cup', 'pots']))
  expect(divergences[0]).toMatchObject({ cause: 'input', name, step: 2 })
})

it("compares the messages of a stream of Connect's own protocol", async () => {
  await using server = await listenConnect('2')
  const shop = clientOf(createConnectTransport({ baseUrl: server.url, httpVersion: '2' }))
  const agent = (orders: readonly string[]) => async (): Promise<unknown[]> => {
    const asked = async function* (): AsyncGenerator<ShopMessage> {
      for (const id of orders) {
        yield { id }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const heard: unknown[] = []
    for await (const { id } of shop.talk(asked())) heard.push(id)
    return heard
  }
  const { output, trace } = await recordRun(agent(['tea', 'cup', 'pot']))
  expect(output).toEqual(['heard tea', 'heard cup', 'heard pot'])
  for (let time = 0; time < 3; time += 1) await expectClean(trace, agent(['tea', 'cup', 'pot']))
  for (const [what, orders] of others) expect((await replay(trace, agent(orders))).divergences, what).not.toEqual([])
})
