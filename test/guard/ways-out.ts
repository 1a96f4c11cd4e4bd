import childProcess, { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import dgram from 'node:dgram'
import dns from 'node:dns'
import dnsPromises from 'node:dns/promises'
import { once } from 'node:events'
import http from 'node:http'
import http2, { type ClientHttp2Session } from 'node:http2'
import inspector from 'node:inspector'
import net, { type Socket } from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { request, WebSocket as UndiciWebSocket } from 'undici'
import { byCallback, heard, HOST, leaveWord, opened, raise, type Service, type Way, type World } from './way.ts'

/** A way to the world that is refused as a contact, or as a call. */
export interface WayOut extends Way {
  /** The contact that it is, as it is refused: its door and its host. */
  contact(world: World): string
  /** As a guard of the process refuses it, where that is otherwise: undici makes its connections when the caller has gone on. */
  guarded?(world: World): string
  /** It cannot be reached here: nobody answers. */
  readonly isNowhere?: true
  /** It is a step whose answer the system gives, so that no server can count whether a replay asks for it. */
  readonly isUncounted?: true
}

const hello = (folder: string): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, 'written-by-child'))}, 'hello')`
const node = process.execPath

async function exitOf(child: ChildProcess): Promise<unknown> {
  return await heard(child, 'exit')
}

async function say(socket: Socket): Promise<unknown> {
  const answer = once(socket, 'data')
  socket.write('hello')
  return await answer
}

function requested(session: ClientHttp2Session): Promise<unknown> {
  return new Promise((resolve, reject) => {
    session.on('error', reject)
    session.request({ ':path': '/' }).on('error', reject).on('response', resolve).resume()
  })
}

const tcp =
  (port: Service): WayOut['contact'] =>
  ({ ports }) =>
    `tcp ${HOST}:${ports[port]}`
const child = (): string => 'child process node'
const shell = (folder: string): string =>
  `"${node}" -e "require('node:fs').writeFileSync(process.argv[1], 'hello')" "${path.join(folder, 'written-by-child')}"`

const sockets: readonly WayOut[] = [
  { name: 'net.connect', contact: tcp('echo'), take: ({ ports }) => heard(net.connect(ports.echo, HOST), 'connect') },
  {
    name: 'new Socket().connect',
    contact: tcp('echo'),
    take: ({ ports }) => heard(new net.Socket().connect({ port: ports.echo, host: HOST }), 'connect'),
  },
  {
    name: 'a server that speaks first',
    contact: tcp('banner'),
    take: ({ ports }) => heard(net.connect(ports.banner, HOST), 'data'),
  },
  {
    name: 'a connection by name, looked up by a function of its own',
    contact: ({ ports }) => `tcp db.internal:${ports.echo}`,
    take: ({ ports }) =>
      heard(
        net.connect({
          port: ports.echo,
          host: 'db.internal',
          lookup: (_name, _options, done) => done(null, [{ address: HOST, family: 4 }]),
        }),
        'connect',
      ),
  },
  {
    name: 'a connection that was opened before',
    contact: tcp('echo'),
    before: ({ ports }) => opened(ports.echo),
    take: (_bait, socket: Socket) => say(socket),
  },
  {
    name: 'tls.connect',
    contact: ({ ports }) => `tls ${HOST}:${ports.tls}`,
    take: ({ ports }) => heard(tls.connect({ port: ports.tls, host: HOST, rejectUnauthorized: false }), 'secureConnect'),
  },
  {
    name: 'tls over a connection that was opened before',
    contact: tcp('tls'),
    before: ({ ports }) => opened(ports.tls),
    take: (_bait, socket: Socket) =>
      new Promise((resolve, reject) => {
        tls.connect({ socket, rejectUnauthorized: false }).on('secureConnect', resolve).on('error', reject).on('close', reject)
      }),
  },
  { name: 'a unix socket', contact: (bait) => `unix socket ${bait.path}`, take: (bait) => heard(net.connect(bait.path), 'connect') },
  {
    name: 'HTTP over a connection that the program makes',
    contact: tcp('http'),
    take: ({ ports }) => heard(http.get({ createConnection: () => net.connect(ports.http, HOST), path: '/' }), 'response'),
  },
  {
    name: 'http2.connect',
    contact: ({ ports }) => `http2 ${HOST}:${ports.http2}`,
    take: ({ ports }) => requested(http2.connect(`http://${HOST}:${ports.http2}`)),
  },
  {
    name: 'a session of http2 that was opened before',
    contact: ({ ports }) => `http2 ${HOST}:${ports.http2}`,
    before: async ({ ports }) => {
      const session = http2.connect(`http://${HOST}:${ports.http2}`)
      await once(session, 'connect')
      // By then the other end has heard what comes with a connection.
      await byCallback((done) => void session.ping((error) => done(error)))
      return session
    },
    take: (_bait, session: ClientHttp2Session) => requested(session),
  },
  {
    name: 'WebSocket',
    contact: ({ ports }) => `websocket ${HOST}:${ports.http}`,
    // An event hands its listener no cause.
    guarded: ({ ports }) => `websocket ${HOST}:${ports.http} at test/guard/`,
    isNowhere: true,
    take: ({ ports }) => socketOpened(new WebSocket(`ws://${HOST}:${ports.http}/`)),
  },
  {
    name: "undici's WebSocket",
    contact: ({ ports }) => `websocket ${HOST}:${ports.http}`,
    guarded: ({ ports }) => `websocket ${HOST}:${ports.http} at test/guard/`,
    isNowhere: true,
    take: ({ ports }) => socketOpened(new UndiciWebSocket(`ws://${HOST}:${ports.http}/`) as unknown as WebSocket),
  },
]

function socketOpened(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
}

const datagrams: readonly WayOut[] = [
  {
    name: 'dgram send',
    contact: ({ ports }) => `udp ${HOST}:${ports.udp}`,
    take: ({ ports }) => byCallback((done) => dgram.createSocket('udp4').send('hello', ports.udp, HOST, done)),
  },
  {
    name: 'dgram connect',
    contact: ({ ports }) => `udp ${HOST}:${ports.udp}`,
    async take({ ports }) {
      const socket = dgram.createSocket('udp4')
      await byCallback((done) => socket.connect(ports.udp, HOST, done))
      await byCallback((done) => socket.send('hello', done))
    },
  },
  {
    name: 'dgram bind',
    contact: () => `udp ${HOST}:0 (bound)`,
    async take(world) {
      const socket = dgram.createSocket('udp4')
      await heard(socket.bind(0, HOST), 'listening')
      leaveWord(world)
      socket.close()
    },
  },
  {
    name: 'a datagram of a socket that was opened before',
    contact: ({ ports }) => `udp ${HOST}:${ports.udp}`,
    before: async () => {
      const socket = dgram.createSocket('udp4').bind(0, HOST)
      await once(socket, 'listening')
      return socket
    },
    take: ({ ports }, socket: dgram.Socket) => byCallback((done) => socket.send('hello', ports.udp, HOST, done)),
  },
]

const queries = [
  'resolve',
  'resolve4',
  'resolve6',
  'resolveAny',
  'resolveCaa',
  'resolveCname',
  'resolveMx',
  'resolveNaptr',
  'resolveNs',
  'resolvePtr',
  'resolveSoa',
  'resolveSrv',
  'resolveTlsa',
  'resolveTxt',
  'reverse',
] as const
type Queries = Readonly<Record<string, (...args: unknown[]) => unknown>>

/** Not in any file of hosts, so that a server is asked. */
const ADDRESS = '192.0.2.7'

/** A look-up that the system answers by itself, or a query that goes to a server of names. */
function nameWay(name: string, query: string, ask: (host: string, world: World) => Promise<unknown>): WayOut {
  const isLookup = query === 'lookup'
  const hostOf = (world: World): string => (isLookup ? 'localhost' : query === 'reverse' ? ADDRESS : world.name)
  return {
    name,
    needs: ['dns'],
    ...(isLookup && { isUncounted: true }),
    contact: (world) => `dns ${hostOf(world)}`,
    async take(world) {
      await ask(hostOf(world), world)
    },
  }
}

/** What asks a world's server of names, where it has one. */
function askingOf(asking: { setServers(servers: readonly string[]): void }, { nameServer }: World): Queries {
  if (nameServer !== undefined) asking.setServers([nameServer])
  return asking as unknown as Queries
}

const names: readonly WayOut[] = [
  ...(['lookup', ...queries] as const).flatMap((query) => [
    nameWay(`dns.${query}`, query, (host, world) => byCallback((done) => askingOf(dns, world)[query]?.(host, done))),
    nameWay(`dns/promises ${query}`, query, async (host, world) => askingOf(dnsPromises, world)[query]?.(host)),
  ]),
  ...queries.flatMap((query) => [
    nameWay(`Resolver ${query}`, query, (host, world) => byCallback((done) => askingOf(new dns.Resolver(), world)[query]?.(host, done))),
    nameWay(`Resolver of dns/promises ${query}`, query, async (host, world) => askingOf(new dnsPromises.Resolver(), world)[query]?.(host)),
  ]),
  {
    name: 'dns.lookupService',
    needs: [],
    isUncounted: true,
    contact: () => `dns ${HOST}`,
    async take() {
      await byCallback((done) => dns.lookupService(HOST, 22, done))
    },
  },
  nameWay('dns.lookup, promisified', 'lookup', (host) => promisify(dns.lookup)(host)),
]

const programs: readonly WayOut[] = [
  { name: 'spawn', contact: child, take: ({ folder }) => exitOf(spawn(node, ['-e', hello(folder)])) },
  { name: 'spawn with a shell', contact: child, take: ({ folder }) => exitOf(spawn(shell(folder), { shell: true })) },
  {
    name: 'spawn, detached',
    contact: child,
    take: ({ folder }) => exitOf(spawn(node, ['-e', hello(folder)], { detached: true, stdio: 'ignore' })),
  },
  { name: 'exec', contact: child, take: ({ folder }) => byCallback((done) => exec(shell(folder), done)) },
  { name: 'exec, promisified', contact: child, take: ({ folder }) => promisify(exec)(shell(folder)) },
  { name: 'execFile', contact: child, take: ({ folder }) => byCallback((done) => execFile(node, ['-e', hello(folder)], done)) },
  { name: 'execFile, promisified', contact: child, take: ({ folder }) => promisify(execFile)(node, ['-e', hello(folder)]) },
  { name: 'fork', contact: child, take: ({ folder }) => exitOf(fork(path.join(folder, 'child.cjs'))) },
  { name: 'cluster.fork', contact: child, isNowhere: true, take: ({ folder }) => forkedInCluster(folder) },
  { name: 'spawnSync', contact: child, take: async ({ folder }) => raise(spawnSync(node, ['-e', hello(folder)]).error) },
  { name: 'execSync', contact: child, take: async ({ folder }) => execSync(shell(folder)) },
  { name: 'execFileSync', contact: child, take: async ({ folder }) => execFileSync(node, ['-e', hello(folder)]) },
  { name: 'new ChildProcess().spawn', contact: child, take: ({ folder }) => spawnedByHand(folder) },
  {
    name: 'the input of a child that was spawned before',
    contact: () => 'socket opened before the run',
    before: async ({ folder }) => {
      const before = spawn(node, ['-e', `process.stdin.once('data', () => { ${hello(folder)} }).pipe(process.stdout)`])
      before.stdin.on('error', () => undefined)
      await once(before, 'spawn')
      return before
    },
    take: (_bait, { stdin }: ChildProcess) => byCallback((done) => stdin?.write('hello', (error) => done(error ?? null))),
  },
  {
    name: 'Worker',
    contact: () => 'worker eval',
    take: ({ folder }) => heard(new Worker(hello(folder).replace('by-child', 'by-worker'), { eval: true }), 'exit'),
  },
  {
    name: 'inspector.open',
    isNowhere: true,
    contact: () => `inspector ${HOST}:0`,
    async take(world) {
      inspector.open(0)
      if (inspector.url() !== undefined) leaveWord(world)
      inspector.close()
    },
  },
]

async function forkedInCluster(folder: string): Promise<unknown> {
  cluster.setupPrimary({ exec: path.join(folder, 'child.cjs') })
  return await heard(cluster.fork(), 'exit')
}

async function spawnedByHand(folder: string): Promise<unknown> {
  const process = Reflect.construct(childProcess.ChildProcess, []) as ChildProcess & { spawn(options: object): void }
  const ended = exitOf(process)
  process.spawn({ file: node, args: [node, '-e', hello(folder)], envPairs: [], stdio: 'pipe' })
  return await ended
}

/** HTTP is a boundary: what the trace does not have is an unexpected call. */
export const requests: readonly WayOut[] = [
  { name: 'fetch', contact: ({ ports }) => `${HOST}:${ports.http}`, take: ({ ports }) => fetch(`http://${HOST}:${ports.http}/`) },
  {
    name: "undici's request",
    contact: ({ ports }) => `${HOST}:${ports.http}`,
    take: ({ ports }) => request(`http://${HOST}:${ports.http}/`),
  },
  {
    name: 'http.get',
    contact: ({ ports }) => `${HOST}:${ports.http}`,
    take: ({ ports }) => heard(http.get(`http://${HOST}:${ports.http}/`), 'response'),
  },
  {
    name: 'http.get over a connection that is kept alive',
    contact: ({ ports }) => `${HOST}:${ports.http}`,
    before: async ({ ports }) => {
      const agent = new http.Agent({ keepAlive: true })
      const [response] = (await once(http.get(`http://${HOST}:${ports.http}/`, { agent }), 'response')) as [http.IncomingMessage]
      response.resume()
      await once(response, 'end')
      return agent
    },
    take: ({ ports }, agent: http.Agent) => heard(http.get(`http://${HOST}:${ports.http}/`, { agent }), 'response'),
  },
]

/** Every way out that no boundary answers. */
export const waysOut: readonly WayOut[] = [...sockets, ...datagrams, ...names, ...programs]
