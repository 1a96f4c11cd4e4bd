import { once } from 'node:events'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import undici from 'undici'
import { expect, it } from 'vitest'
import { WebSocket as WsSocket, WebSocketServer } from 'ws'
import { recordBeside } from '../../support/record-beside.ts'
import { rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { certificate, privateKey } from '../../conformance/certificate.ts'
import { type Client, watch } from './client-events.ts'
import { echo } from './listen.ts'

const clients: readonly (readonly [name: string, open: (url: string) => Client])[] = [
  ['the ws package', (url) => new WsSocket(url, { rejectUnauthorized: false }) as never],
  ['the ws package with an agent', (url) => new WsSocket(url, { agent: new https.Agent({ rejectUnauthorized: false }) }) as never],
  [
    "undici's WebSocket",
    (url) => new undici.WebSocket(url, { dispatcher: new undici.Agent({ connect: { rejectUnauthorized: false } }) }) as never,
  ],
]

it.each(clients)('records and replays %s over TLS', async (_name, open) => {
  const server = https.createServer({ cert: certificate, key: privateKey })
  const sockets = new WebSocketServer({ server, perMessageDeflate: true })
  sockets.on('connection', echo)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `wss://127.0.0.1:${(server.address() as AddressInfo).port}/secure`
  const agent = async (): Promise<unknown> => {
    const { client, events, next } = watch(open(url))
    await next('open')
    client.send('hello'.repeat(1000))
    await next('message')
    client.close(1000)
    await next('close')
    return events
  }
  const { output, trace } = await recordBeside(agent)
  server.close()
  server.closeAllConnections()
  expect(output).toEqual([['open', ''], 'hello'.repeat(1000), ['close', 1000, '', true]])
  expect(trace.steps.map(({ name }) => name.slice(`websocket ${url.slice('wss://'.length)}`.length))).toEqual(['', ' send', ' close'])
  expect(rowsOf(trace, 'note')).toEqual([])
  for (let time = 0; time < 5; time += 1) await expectClean(trace, agent)
})
