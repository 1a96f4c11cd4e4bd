import { createHash } from 'node:crypto'
import dgram from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { certificate, privateKey } from '../conformance/certificate.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { type Service, services, type World } from './way.ts'

/** A world that counts what reaches it. */
export interface Bait extends World, AsyncDisposable {
  /** What reached it so far: connections, what was said over them, datagrams, files. */
  readonly reached: readonly string[]
  /** Bytes that came over connections so far. */
  readonly bytes: number
  /** Forgets the files that were written so far. */
  forgetFiles(): void
}

/** Writes a file for each message; a child, a worker. */
const LISTENER = `const { writeFileSync } = require('node:fs')
const { isMainThread, parentPort, workerData, BroadcastChannel } = require('node:worker_threads')
const write = () => writeFileSync(__dirname + '/written-by-listener', 'hello')
if (isMainThread) process.on('message', write).on('SIGUSR2', write)
else {
  parentPort.on('message', (message) => (typeof message === 'object' ? message.port.on('message', write) : write()))
  process.on('workerMessage', write)
  if (workerData?.channel !== undefined) new BroadcastChannel(workerData.channel).onmessage = write
  if (workerData?.shared !== undefined) Atomics.waitAsync(workerData.shared, 0, 0).value.then(write)
}
if (isMainThread) process.send?.('ready')
else parentPort.postMessage('ready')
`

/** Starts what could be reached. */
export async function startBait(needs: readonly Service[] = services): Promise<Bait> {
  const directory = await createTemporaryDirectory()
  await directory.write('child.cjs', "require('node:fs').writeFileSync(__dirname + '/written-by-fork', 'hello')")
  await directory.write('listener.cjs', LISTENER)
  const reached: string[] = []
  const open = new Set<net.Socket>()
  const counted = new Set<net.Socket>()
  const ports: Partial<Record<Service, number>> = {}
  const stops: (() => void)[] = []
  for (const service of needs) {
    const server = makers[service]((word) => reached.push(`${service} ${word}`))
    if (server instanceof dgram.Socket) server.bind(0, '127.0.0.1')
    else if (service === 'unix') server.listen(directory.resolve('socket'))
    else server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    if (server instanceof net.Server)
      server.on('connection', (socket: net.Socket) => {
        reached.push(`${service} connected`)
        open.add(socket)
        // A process that ends says goodbye in frames; what counts of HTTP/2 is told above.
        if (service !== 'http2') counted.add(socket)
        socket.on('error', () => undefined)
      })
    const address = server.address()
    ports[service] = typeof address === 'object' && address !== null ? address.port : 0
    stops.push(() => void server.close())
  }
  const filesNow = (): string[] =>
    existsSync(directory.path) ? readdirSync(directory.path).filter((name) => name.startsWith('written')) : []
  return {
    ports: ports as Readonly<Record<Service, number>>,
    path: directory.resolve('socket'),
    folder: directory.path,
    name: 'db.internal',
    ...(ports.dns === undefined ? {} : { nameServer: `127.0.0.1:${ports.dns}` }),
    get reached() {
      return [...reached, ...filesNow()]
    },
    get bytes() {
      return [...counted].reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    },
    forgetFiles() {
      for (const name of filesNow()) rmSync(path.join(directory.path, name), { recursive: true })
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      for (const stop of stops) stop()
      await directory[Symbol.asyncDispose]()
    },
  }
}

type Tell = (word: string) => void

/** Servers that tell what they hear. */
const makers: Readonly<Record<Service, (tell: Tell) => net.Server | dgram.Socket>> = {
  echo: (tell) => net.createServer((socket) => echo(socket, tell)),
  banner: (tell) =>
    net.createServer((socket) => {
      echo(socket, tell)
      socket.write('welcome')
    }),
  unix: (tell) => net.createServer((socket) => echo(socket, tell)),
  tls: (tell) => tls.createServer({ cert: certificate, key: privateKey }, (socket) => echo(socket, tell)),
  http: (tell) => asWeb(http.createServer(), tell),
  https: (tell) => asWeb(https.createServer({ cert: certificate, key: privateKey }), tell),
  http2: (tell) =>
    http2
      .createServer({ unknownProtocolTimeout: 3_600_000 })
      .on('session', (session) => {
        session.on('error', () => undefined)
        session.on('ping', () => tell('heard a ping')).on('goaway', () => tell('heard goaway'))
        session.on('remoteSettings', () => tell('heard settings'))
      })
      .on('stream', (stream, { ':path': asked }) => {
        tell(`heard ${asked}`)
        stream.on('error', () => undefined).on('data', (piece) => tell(`heard ${String(piece)}`))
        stream.respond({ ':status': 200 })
        if (asked === '/open') stream.write('hello')
        else stream.end('hello')
      }),
  udp: (tell) => {
    const socket = dgram.createSocket('udp4')
    return socket.on('message', (message, { port, address }) => {
      tell(`heard ${String(message)}`)
      socket.send(message, port, address)
    })
  },
  // It refuses every name. Source: RFC 1035, section 4.1.1.
  dns: (tell) => {
    const socket = dgram.createSocket('udp4')
    return socket.on('message', (query, { port, address }) => {
      tell('heard a query')
      socket.send(Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x85]), query.subarray(4)]), port, address)
    })
  },
}

function echo(socket: net.Socket, tell: Tell): void {
  socket.on('error', () => undefined)
  socket.on('data', (piece) => {
    tell(`heard ${String(piece)}`)
    socket.write(piece)
  })
}

/** A web server that takes WebSockets and tunnels, too. Source: RFC 6455, section 4.2.2. */
function asWeb(server: http.Server, tell: Tell): http.Server {
  // A connection that was opened before waits as long as its trial does.
  Object.assign(server, { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 })
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    tell(`heard ${request.url}`)
    request.on('data', (piece) => tell(`heard ${String(piece)}`)).on('end', () => response.end('hello'))
  })
  server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    socket.on('error', () => undefined).on('data', () => tell('heard a frame'))
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
  })
  return server.on('connect', (_request, socket) => {
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 200 OK\r\n\r\n')
  })
}
