import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import net, { type Socket } from 'node:net'
import grpc from '@grpc/grpc-js'
import axios from 'axios'
import got from 'got'
import ky from 'ky'
import nodeFetch from 'node-fetch'
import undici, { type Dispatcher } from 'undici'
import { Agent as Agent6 } from 'undici6'
import { Agent as Agent7 } from 'undici7'
import { WebSocket as WsSocket } from 'ws'
import { byCallback, heard, HOST, opened, type Way, type World } from '../way.ts'

const url = ({ ports }: World): string => `http://${HOST}:${ports.http}`
const secureUrl = ({ ports }: World): string => `https://${HOST}:${ports.https}`
const web = ['http'] as const
const secureWeb = ['https'] as const

/** What a request came to; one that fails does so here. */
async function answered(request: ClientRequest): Promise<void> {
  const [response] = (await heard(request, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
}

/** A way by a client over HTTP. */
function called(name: string, take: (url: string, world: World) => Promise<unknown>): Way {
  return { name, needs: web, take: (world) => take(url(world), world) }
}

async function readAll(response: { text(): Promise<string> }): Promise<string> {
  return await response.text()
}

const fetches: readonly Way[] = [
  called('fetch, a POST', async (to) => readAll(await fetch(to, { method: 'POST', body: 'hello' }))),
  called('fetch of a Request', async (to) => readAll(await fetch(new Request(to)))),
  called('fetch that streams its body', async (to) => {
    const body = new Blob(['hello']).stream()
    return readAll(await fetch(to, { method: 'POST', body, duplex: 'half' } as RequestInit))
  }),
  called('fetch with a dispatcher of its own', async (to) => {
    const dispatcher = ownAgent()
    return readAll(await fetch(to, { dispatcher } as unknown as RequestInit))
  }),
  {
    name: 'a fetch captured earlier',
    needs: web,
    before: () => globalThis.fetch,
    take: async (world, early: typeof fetch) => readAll(await early(url(world))),
  },
  {
    name: 'the body of a fetch that was begun before',
    needs: web,
    async before(world) {
      const controllers: ReadableStreamDefaultController<Uint8Array>[] = []
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void controllers.push(controller) })
      void fetch(url(world), { method: 'POST', body, duplex: 'half' } as RequestInit).catch(() => undefined)
      controllers[0]?.enqueue(Buffer.from('before'))
      await new Promise((resolve) => setTimeout(resolve, 20))
      return controllers[0]
    },
    async take(_world, controller: ReadableStreamDefaultController<Uint8Array>) {
      controller.enqueue(Buffer.from('hello'))
      controller.close()
    },
  },
  called('axios', (to) => axios.get(to)),
  called('axios by fetch', (to) => axios.get(to, { adapter: 'fetch' })),
  called('got', (to) => got(to, { retry: { limit: 0 } }).text()),
  called('ky', (to) => ky(to, { retry: 0 }).text()),
  called('node-fetch', async (to) => readAll(await nodeFetch(to))),
]

/** Of the undici that is Node's own `fetch`'s. */
function ownAgent(): object {
  const [major] = (process.versions['undici'] ?? '').split('.')
  return major === '6' ? new Agent6() : major === '7' ? new Agent7() : new undici.Agent()
}

const undiciWays: readonly Way[] = [
  called('undici.fetch', async (to) => readAll(await undici.fetch(to))),
  called('undici.stream', (to) => undici.stream(to, { method: 'GET' }, () => new (class extends WritableSink {})())),
  called('undici.pipeline', async (to) =>
    once(
      undici
        .pipeline(to, { method: 'POST' }, ({ body }) => body)
        .end('hello')
        .resume(),
      'end',
    ),
  ),
  called('undici.connect', (to) => undici.connect(to, { path: '/' } as never)),
  called('undici.upgrade', (to) => undici.upgrade(to, { protocol: 'websocket' })),
  ...(['Client', 'Pool', 'BalancedPool', 'Agent', 'RetryAgent', 'ProxyAgent', 'EnvHttpProxyAgent'] as const).map((kind) =>
    called(`undici's ${kind}`, async (to) =>
      readAll((await dispatcherOf(kind, to).request({ origin: to, path: '/', method: 'GET' })).body),
    ),
  ),
  {
    name: 'a client of undici that was connected before',
    needs: web,
    async before(world) {
      const client = new undici.Client(url(world))
      await readAll((await client.request({ path: '/before', method: 'GET' })).body)
      return client
    },
    take: async (_world, client: undici.Client) => readAll((await client.request({ path: '/', method: 'GET' })).body),
  },
  {
    name: 'a connector of undici',
    needs: web,
    take: ({ ports }) =>
      byCallback((done) =>
        undici.buildConnector({})({ hostname: HOST, host: HOST, protocol: 'http:', port: String(ports.http) }, (...[error]: unknown[]) =>
          done(error as Error | null),
        ),
      ),
  },
  called(
    "undici's EventSource",
    (to) =>
      new Promise((resolve, reject) => {
        const source = new undici.EventSource(to)
        source.addEventListener('open', resolve)
        source.addEventListener('error', () => {
          source.close()
          reject(new Error('It was refused.'))
        })
      }),
  ),
]

class WritableSink extends net.Socket {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done()
  }
}

function dispatcherOf(kind: string, to: string): Dispatcher {
  if (kind === 'Client') return new undici.Client(to)
  if (kind === 'Pool') return new undici.Pool(to)
  if (kind === 'BalancedPool') return new undici.BalancedPool(to)
  if (kind === 'RetryAgent') return new undici.RetryAgent(new undici.Agent(), { maxRetries: 0 })
  if (kind === 'ProxyAgent') return new undici.ProxyAgent({ uri: to, proxyTunnel: false })
  if (kind === 'EnvHttpProxyAgent') return new undici.EnvHttpProxyAgent({ httpProxy: to, noProxy: '' })
  return new undici.Agent()
}

const requests: readonly Way[] = [
  called('http.request, a POST', (to) => answered(http.request(to, { method: 'POST' }).end('hello'))),
  called('http.request, no agent', (to) => answered(http.request(to, { agent: false }).end())),
  called('http.request with an agent of its own', (to) => answered(http.request(to, { agent: new http.Agent() }).end())),
  called('http.request with an agent that connects by itself', (_to, { ports }) => {
    const agent = new http.Agent()
    Reflect.set(agent, 'createConnection', () => net.connect(ports.http, HOST))
    return answered(http.request({ agent, path: '/' }).end())
  }),
  called('http.request, CONNECT', (to) => heard(http.request(to, { method: 'CONNECT' }).end(), 'connect')),
  called('http.request, an upgrade', (to) =>
    heard(http.request(to, { headers: { connection: 'upgrade', upgrade: 'echo' } }).end(), 'upgrade'),
  ),
  called('http.request that expects to be told to go on', (to) =>
    answered(http.request(to, { method: 'POST', headers: { expect: '100-continue' } }).end('hello')),
  ),
  called('new ClientRequest', (to) => answered(Reflect.construct(http.ClientRequest, [to]).end())),
  called("the connection of an http agent's making", (_to, { ports }) =>
    heard(connectionOf(new http.Agent(), { port: ports.http, host: HOST }), 'connect'),
  ),
  {
    name: 'http over a unix socket',
    needs: ['unix'],
    take: (world) => answered(http.get({ socketPath: world.path, path: '/' })),
  },
  {
    name: 'http over a connection that was opened before',
    needs: web,
    before: ({ ports }) => opened(ports.http),
    take: (_world, socket: Socket) => answered(http.get({ createConnection: () => socket, path: '/' })),
  },
  {
    name: 'the body of a request that was begun before',
    needs: web,
    async before(world) {
      const begun = http.request(`${url(world)}/before`, { method: 'POST' })
      begun.on('error', () => undefined)
      begun.write('before')
      await once(begun, 'socket')
      await new Promise((resolve) => setTimeout(resolve, 20))
      return begun
    },
    take: (_world, begun: ClientRequest) => byCallback((done) => begun.write('hello', done)),
  },
  {
    name: 'an answer of a server over a connection that was opened before',
    needs: ['echo'],
    before: ({ ports }) => opened(ports.echo),
    take(_world, socket: Socket) {
      const response = new http.ServerResponse(new http.IncomingMessage(socket))
      response.assignSocket(socket)
      return byCallback((done) => response.end('hello', done))
    },
  },
  { name: 'https.get', needs: secureWeb, take: (world) => answered(https.get(secureUrl(world), { rejectUnauthorized: false })) },
  {
    name: 'https.request with an agent of its own',
    needs: secureWeb,
    take: (world) => answered(https.request(secureUrl(world), { agent: new https.Agent({ rejectUnauthorized: false }) }).end()),
  },
  {
    name: "the connection of an https agent's making",
    needs: secureWeb,
    take: ({ ports }) =>
      heard(connectionOf(new https.Agent(), { port: ports.https, host: HOST, rejectUnauthorized: false }), 'secureConnect'),
  },
]

function connectionOf(agent: http.Agent, options: object): Socket {
  return (agent as unknown as { createConnection(options: object): Socket }).createConnection(options)
}

const webSockets: readonly Way[] = [
  called('the WebSocket of the ws package', (to) => heard(new WsSocket(to.replace('http', 'ws')), 'open')),
  {
    name: 'a WebSocket that was opened before',
    needs: web,
    async before(world) {
      const socket = new WebSocket(url(world).replace('http', 'ws'))
      await new Promise((resolve) => socket.addEventListener('open', resolve))
      return socket
    },
    take: async (_world, socket: WebSocket) => socket.send('hello'),
  },
  {
    name: 'a WebSocket of the ws package that was opened before',
    needs: web,
    async before(world) {
      const socket = new WsSocket(url(world).replace('http', 'ws'))
      await once(socket, 'open')
      socket.on('error', () => undefined)
      return socket
    },
    take: (_world, socket: WsSocket) => byCallback((done) => socket.send('hello', done)),
  },
  called('a stream of undici over a WebSocket', async (to) => {
    const stream = new undici.WebSocketStream(to.replace('http', 'ws'))
    stream.closed.catch(() => undefined)
    await stream.opened
  }),
  {
    name: 'a channel of gRPC',
    needs: ['http2'],
    take({ ports }) {
      const client = new grpc.Client(`${HOST}:${ports.http2}`, grpc.credentials.createInsecure())
      const asIs = (value: Buffer): Buffer => value
      return byCallback((done) => client.makeUnaryRequest('/echo', asIs, asIs, Buffer.from('hello'), (error) => done(error)))
    },
  },
]

/** Clients over HTTP, and what goes on over connections of theirs. */
export const httpWays: readonly Way[] = [...fetches, ...undiciWays, ...requests, ...webSockets]
