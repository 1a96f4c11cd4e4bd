import { once } from 'node:events'
import { connect, createSecureServer, type Http2SecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import tls, { type TLSSocket } from 'node:tls'
import got from 'got'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { certificate, privateKey } from '../../conformance/certificate.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

let server: Http2SecureServer
let port: number

beforeAll(async () => {
  server = createSecureServer({ key: privateKey, cert: certificate, allowHTTP1: true }, (request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ version: request.httpVersion, url: request.url }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

type Ask = (path: string) => Promise<unknown>

/** Clients that ask by a TLS connection of their own which protocol the server speaks. */
const clients: readonly (readonly [name: string, ask: Ask])[] = [
  ['got', async (path) => await got(`https://127.0.0.1:${port}${path}`, { http2: true, https: { rejectUnauthorized: false } }).json()],
  [
    'a session over a TLS connection',
    async (path) => {
      const socket = tls.connect({ host: '127.0.0.1', port, ALPNProtocols: ['h2', 'http/1.1'], rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      const { alpnProtocol } = socket
      const session = connect(`https://127.0.0.1:${port}`, { createConnection: () => socket })
      const body = await text(session.request({ ':path': path }))
      session.close()
      return [alpnProtocol, body]
    },
  ],
]

it.each(clients)('replays requests over HTTP/2 by %s', async (_name, ask) => {
  const agent = async (path: string): Promise<unknown> => [await ask(path), await ask(`${path}/again`)]
  const { trace, output } = await recordRun(() => agent('/orders'))
  expect(JSON.stringify(output)).toContain('2.0')
  expect(rowsOf(trace, 'note')).toEqual([])
  await expectClean(trace, () => agent('/orders'))
  const { divergences } = await replay(trace, () => agent('/other'))
  expect(divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})

it('notes and refuses other bytes over such a connection', async () => {
  const agent = async (): Promise<string> => {
    const socket: TLSSocket = tls.connect({ host: '127.0.0.1', port, ALPNProtocols: ['h2'], rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => socket.write('hello', () => resolve()))
    socket.destroy()
    return 'closed'
  }
  const { trace } = await recordRun(agent)
  expect(rowsOf(trace, 'note').map(({ what }) => what)).toEqual(['unrecorded-contact'])
  const { divergences } = await replay(trace, agent)
  expect(divergences.map(({ cause }) => cause)).toEqual(['unrecorded-contact'])
})
