import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage, type RequestListener } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import axios, { type AxiosError } from 'axios'
import { afterAll, expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { certificate, privateKey } from '../../conformance/certificate.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

const openServers: http.Server[] = []
afterAll(() => {
  for (const server of openServers) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(server: http.Server): Promise<number> {
  openServers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

const plain = (answer: RequestListener): Promise<number> => listen(http.createServer(answer))
const secure = (answer: RequestListener): Promise<number> => listen(https.createServer({ cert: certificate, key: privateKey }, answer))

interface Exchange {
  readonly request: ClientRequest
  readonly response: IncomingMessage
  readonly body: string
}

function answered(request: ClientRequest): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    request.on('response', (response) => void text(response).then((body) => resolve({ request, response, body }), reject))
    request.on('error', (error) => reject(Object.assign(error, { request })))
    request.end()
  })
}

function failed(request: ClientRequest): Promise<NodeJS.ErrnoException> {
  return new Promise((resolve) => request.on('error', resolve).end())
}

it('replays a retry of a request whose reused connection was closed', async () => {
  let requests = 0
  const port = await plain((request, response) => {
    requests += 1
    if (requests === 2) request.socket.destroy()
    else response.end(`answer ${requests}`)
  })
  const agent = async (path: string): Promise<unknown> => {
    const pool = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const send = (to: string): ClientRequest => http.request({ port, path: to, agent: pool })
    const first = await answered(send('/first'))
    await new Promise((resolve) => setImmediate(resolve))
    const second = send(path)
    const { code } = await failed(second)
    if (!second.reusedSocket) throw new Error('the connection was new')
    const third = await answered(send(path))
    pool.destroy()
    return [first.request.reusedSocket, code, third.request.reusedSocket, third.body]
  }
  const { trace, output } = await recordRun(() => agent('/second'))
  expect(output).toEqual([false, 'ECONNRESET', false, 'answer 3'])
  await expectClean(trace, () => agent('/second'))
  const { divergences } = await replay(trace, () => agent('/changed'))
  expect(divergences[0]).toMatchObject({ cause: 'input', step: 2 })
})

it('replays which answers came over a reused connection', async () => {
  const port = await plain((_request, response) => response.end('ok'))
  const agent = async (): Promise<unknown> => {
    const pool = new http.Agent({ keepAlive: true })
    const reused: boolean[] = []
    for (const path of ['/a', '/b', '/c']) {
      reused.push((await answered(http.request({ port, path, agent: pool }))).request.reusedSocket)
      await new Promise((resolve) => setImmediate(resolve))
    }
    pool.destroy()
    return reused
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([false, true, true])
  await expectClean(trace, agent)
})

it('replays the certificate, the cipher and the protocol of a connection', async () => {
  const port = await secure((_request, response) => response.end('ok'))
  const agent = async (): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const request = https.request({ port, host: '127.0.0.1', agent: false, rejectUnauthorized: false })
    request.on('response', (response) => {
      const socket = response.socket as TLSSocket
      const issued = socket.getPeerCertificate(true)
      resolve({
        authorized: socket.authorized,
        authorizationError: socket.authorizationError,
        alpnProtocol: socket.alpnProtocol,
        subject: socket.getPeerCertificate().subject,
        raw: socket.getPeerCertificate().raw,
        isSelfIssued: issued.issuerCertificate === issued,
        fingerprint: socket.getPeerX509Certificate()?.fingerprint256 === issued.fingerprint256,
        protocol: socket.getProtocol(),
        cipher: socket.getCipher().name,
        isSessionReused: socket.isSessionReused(),
        finished: socket.getFinished()?.length,
      })
    })
    await answered(request)
    return promise
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toMatchObject({
    authorized: false,
    authorizationError: expect.stringContaining('CERT') as string,
    alpnProtocol: false,
    subject: { CN: new X509Certificate(certificate).subject.replace(/^.*CN=/s, '') },
    raw: new X509Certificate(certificate).raw,
    isSelfIssued: true,
    fingerprint: true,
    protocol: 'TLSv1.3',
    isSessionReused: false,
  })
  await expectClean(trace, agent)
})

it('replays the addresses of both ends of a connection', async () => {
  const port = await plain((_request, response) => response.end('ok'))
  const ends = ({ remoteAddress, remoteFamily, remotePort, localAddress, localFamily, localPort }: Socket): unknown => {
    return { remoteAddress, remoteFamily, remotePort, localAddress, localFamily, localPort }
  }
  const agent = async (): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const request = http.request({ port, host: '127.0.0.1', agent: false })
    request.on('response', ({ socket }) => resolve([ends(socket), socket.address()]))
    await answered(request)
    return promise
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toMatchObject([{ remoteAddress: '127.0.0.1', remotePort: port, localPort: expect.any(Number) as number }, {}])
  await expectClean(trace, agent)
})

it('replays a reset in the middle of an answer over a reused connection, where the client destroys its request at once', async () => {
  let requests = 0
  const port = await plain((request, response) => {
    requests += 1
    if (requests === 1) return void response.end('first')
    response.writeHead(200, { 'content-length': '100' })
    response.write('some', () => void setTimeout(() => request.socket.resetAndDestroy(), 20))
  })
  const agent = async (): Promise<unknown> => {
    const pool = new http.Agent({ keepAlive: true, maxSockets: 1 })
    // axios listens to the connection, from its first use on: before Node does for a later request.
    const url = `http://127.0.0.1:${port}/`
    const first = await axios.get<string>(url, { httpAgent: pool })
    await new Promise((resolve) => setImmediate(resolve))
    const second = await axios.get(url, { httpAgent: pool }).catch((error: AxiosError) => [error.code, error.message])
    pool.destroy()
    return [first.data, second]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(['first', ['ECONNRESET', 'read ECONNRESET']])
  expect(trace.steps[1]).toMatchObject({ error: { code: 'ECONNRESET' } })
  await expectClean(trace, agent)
})
