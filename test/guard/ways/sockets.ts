import dgram from 'node:dgram'
import { once } from 'node:events'
import fs from 'node:fs'
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import net, { type Socket } from 'node:net'
import { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { byCallback, heard, HOST, leaveWord, opened, type Way, type World } from '../way.ts'

const PAST_NODES_CLASSES = "Anything that bypasses Node's own classes"
const TAKEN_BEFORE = 'Anything that a module captured before the doors opened'
const ENDS = 'Calls that end an HTTP/2 session or stream'
const SERVERS = 'A server that the run opens listens'

/** What is said over a connection that was opened before. */
function onOpen(name: string, take: (socket: Socket, world: World) => Promise<unknown>, open?: string): Way {
  return {
    name,
    needs: ['echo'],
    before: ({ ports }) => opened(ports.echo),
    take: (world, socket: Socket) => take(socket, world),
    ...(open === undefined ? {} : { open }),
  }
}

const connections: readonly Way[] = [
  { name: 'net.createConnection', needs: ['echo'], take: ({ ports }) => heard(net.createConnection(ports.echo, HOST), 'connect') },
  {
    name: 'new net.Stream',
    needs: ['echo'],
    take: ({ ports }) => heard(new (Reflect.get(net, 'Stream') as typeof net.Socket)().connect(ports.echo, HOST), 'connect'),
  },
  {
    name: 'a socket of a class that extends it',
    needs: ['echo'],
    take: ({ ports }) => heard(new (class Connection extends net.Socket {})().connect(ports.echo, HOST), 'connect'),
  },
  {
    name: 'net.connect to several addresses',
    needs: ['echo'],
    take: ({ ports }) => heard(net.connect({ port: ports.echo, host: 'localhost', autoSelectFamily: true }), 'connect'),
  },
  {
    name: 'a connect of net captured earlier',
    needs: ['echo'],
    before: () => net.connect,
    take: ({ ports }, connect: typeof net.connect) => heard(connect(ports.echo, HOST), 'connect'),
  },
  {
    name: "Socket's connect, taken off its class before",
    needs: ['echo'],
    open: TAKEN_BEFORE,
    before: () => net.Socket.prototype.connect,
    take: ({ ports }, connect: (port: number, host: string) => Socket) =>
      heard(connect.call(new net.Socket(), ports.echo, HOST), 'connect'),
  },
]

const writes: readonly Way[] = [
  onOpen('end of a connection that was opened before', (socket) => byCallback((done) => socket.end('hello', done))),
  onOpen('a pipe into a connection that was opened before', async (socket) => once(Readable.from(['hello']).pipe(socket), 'finish')),
  onOpen('a pipeline into a connection that was opened before', (socket) => pipeline(Readable.from(['hello']), socket)),
  onOpen('several chunks at once over a connection that was opened before', (socket) => {
    socket.cork()
    socket.write('hel')
    return byCallback((done) => {
      socket.write('lo', done)
      socket.uncork()
    })
  }),
  onOpen('a web stream of a connection that was opened before', async (socket) => {
    await (Writable.toWeb(socket) as WritableStream<unknown>).getWriter().write(Buffer.from('hello'))
  }),
  onOpen('a duplex made of a connection that was opened before', (socket) =>
    byCallback((done) => Duplex.from({ writable: socket, readable: socket }).on('error', done).write('hello', done)),
  ),
  onOpen("Node's own _write of a connection that was opened before", (socket) =>
    byCallback((done) => void Reflect.apply(Reflect.get(socket, '_write') as () => unknown, socket, ['hello', 'utf8', done])),
  ),
  onOpen(
    'the handle of a socket',
    async (socket) => handleOf(socket).writeUtf8String({ oncomplete: () => undefined }, 'hello'),
    PAST_NODES_CLASSES,
  ),
  onOpen('fs.writeSync to the file descriptor of a socket', async (socket) => fs.writeSync(fdOf(socket), 'hello'), PAST_NODES_CLASSES),
  onOpen('fs.write to the file descriptor of a socket', (socket) => promisify(fs.write)(fdOf(socket), 'hello'), PAST_NODES_CLASSES),
  onOpen(
    'a stream of files over the file descriptor of a socket',
    (socket) =>
      byCallback((done) =>
        fs
          .createWriteStream('', { fd: fdOf(socket), autoClose: false })
          .on('error', done)
          .write('hello', done),
      ),
    PAST_NODES_CLASSES,
  ),
  {
    name: 'a unix socket that was opened before',
    needs: ['unix'],
    async before(world) {
      const socket = net.connect(world.path)
      await once(socket, 'connect')
      return socket.on('error', () => undefined)
    },
    take: (_world, socket: Socket) => byCallback((done) => socket.write('hello', done)),
  },
  {
    name: 'a TLS connection that was opened before',
    needs: ['tls'],
    async before({ ports }) {
      const socket = tls.connect({ port: ports.tls, host: HOST, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      return socket.on('error', () => undefined)
    },
    take: (_world, socket: Socket) => byCallback((done) => socket.write('hello', done)),
  },
  {
    name: 'new TLSSocket over a connection that was opened before',
    needs: ['tls'],
    before: ({ ports }) => opened(ports.tls),
    take: (_world, socket: Socket) =>
      byCallback((done) => new tls.TLSSocket(socket, {}).on('error', done).on('close', done).write('hello', done)),
  },
  {
    name: 'TLS over a stream that ends in a connection that was opened before',
    needs: ['tls'],
    before: ({ ports }) => opened(ports.tls),
    take: (_world, socket: Socket) =>
      heard(tls.connect({ socket: Duplex.from({ writable: socket, readable: socket }), rejectUnauthorized: false }), 'secureConnect'),
  },
]

function handleOf(socket: Socket): { readonly fd: number; writeUtf8String(request: object, text: string): void } {
  return Reflect.get(socket, '_handle') as never
}

function fdOf(socket: Socket): number {
  return handleOf(socket).fd
}

const datagrams: readonly Way[] = [
  {
    name: 'new dgram.Socket',
    needs: ['udp'],
    take: ({ ports }) =>
      byCallback((done) => (Reflect.construct(dgram.Socket, ['udp4']) as dgram.Socket).send('hello', ports.udp, HOST, done)),
  },
  {
    name: 'a part of a buffer by dgram',
    needs: ['udp'],
    take: ({ ports }) => byCallback((done) => dgram.createSocket('udp4').send(Buffer.from('hello'), 0, 5, ports.udp, HOST, done)),
  },
  {
    name: 'several buffers by dgram',
    needs: ['udp'],
    take: ({ ports }) => byCallback((done) => dgram.createSocket('udp4').send([Buffer.from('hello')], ports.udp, HOST, done)),
  },
  {
    name: 'a datagram with a function of its own that looks names up',
    needs: ['udp'],
    take: ({ ports }) =>
      byCallback((done) =>
        dgram
          .createSocket({ type: 'udp4', lookup: (_name, _options, found) => found(null, HOST, 4) })
          .send('hello', ports.udp, 'db.internal', done),
      ),
  },
  {
    name: 'a datagram of a socket that was connected before',
    needs: ['udp'],
    async before({ ports }) {
      const socket = dgram.createSocket('udp4')
      await promisify((done: () => void) => socket.connect(ports.udp, HOST, done))()
      return socket
    },
    take: (_world, socket: dgram.Socket) => byCallback((done) => socket.send('hello', done)),
  },
]

/** What is done with a session of HTTP/2 that was opened before, and with a stream of it. */
function onSession(name: string, take: (session: ClientHttp2Session, stream: ClientHttp2Stream) => Promise<unknown>, open?: string): Way {
  return {
    name,
    needs: ['http2'],
    async before({ ports }) {
      const session = http2.connect(`http://${HOST}:${ports.http2}`)
      session.on('error', () => undefined)
      const stream = session.request({ ':path': '/open', ':method': 'POST' })
      stream.on('error', () => undefined)
      await once(stream, 'response')
      return { session, stream: stream.resume() }
    },
    take: (_world, { session, stream }: { session: ClientHttp2Session; stream: ClientHttp2Stream }) => take(session, stream),
    ...(open === undefined ? {} : { open }),
  }
}

const http2Ways: readonly Way[] = [
  {
    name: 'http2 over a connection that it is given',
    needs: ['http2'],
    take({ ports }) {
      const session = http2.connect('http://db.internal', { createConnection: () => net.connect(ports.http2, HOST) })
      return heard(session, 'connect')
    },
  },
  {
    name: 'http2 over a connection that was opened before',
    needs: ['http2'],
    before: ({ ports }) => opened(ports.http2),
    take: (_world, socket: Socket) => heard(http2.connect('http://db.internal', { createConnection: () => socket }), 'remoteSettings'),
  },
  {
    name: 'a connect of http2 captured earlier',
    needs: ['http2'],
    before: () => http2.connect,
    take: ({ ports }, connect: typeof http2.connect) => heard(connect(`http://${HOST}:${ports.http2}`), 'connect'),
  },
  onSession('a stream of http2 that was opened before', (_session, stream) => byCallback((done) => stream.write('hello', done))),
  onSession('several chunks at once over a stream of http2 that was opened before', (_session, stream) => {
    stream.cork()
    stream.write('hel')
    return byCallback((done) => {
      stream.write('lo', done)
      stream.uncork()
    })
  }),
  onSession('the end of a stream of http2 that was opened before', (_session, stream) => byCallback((done) => stream.end('hello', done))),
  onSession('a pipe into a stream of http2 that was opened before', (_session, stream) => pipeline(Readable.from(['hello']), stream)),
  onSession('a ping over a session of http2 that was opened before', (session) =>
    byCallback((done) => void session.ping((error) => done(error))),
  ),
  onSession('settings over a session of http2 that was opened before', (session) =>
    byCallback((done) => session.settings({ enablePush: false }, (error) => done(error))),
  ),
  onSession('goaway over a session of http2 that was opened before', async (session) => session.goaway(0), ENDS),
]

const servers: readonly Way[] = [
  {
    name: 'a server of net that the run opens',
    needs: [],
    open: SERVERS,
    take: (world) => listens(net.createServer(), world),
  },
]

async function listens(server: net.Server, world: World): Promise<void> {
  await heard(server.listen(0, HOST), 'listening')
  leaveWord(world)
  server.close()
}

/** Sockets, datagrams and HTTP/2, made in the run and opened before. */
export const socketWays: readonly Way[] = [...connections, ...writes, ...datagrams, ...http2Ways, ...servers]
