import dgram from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import tls from 'node:tls'
import { certificate, privateKey } from '../conformance/certificate.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** A world that counts what reaches it. */
export interface Bait extends AsyncDisposable {
  /** Ports on 127.0.0.1, by what speaks there; all but `banner` speak when they are spoken to. */
  readonly ports: Readonly<Record<'echo' | 'banner' | 'tls' | 'http2' | 'http' | 'udp', number>>
  /** A path of a unix socket. */
  readonly path: string
  /** A folder for what programs and workers write. */
  readonly folder: string
  /** What reached it so far: connections, what was said over them, datagrams, files. */
  readonly reached: readonly string[]
}

/** Starts everything that could be reached. */
export async function startBait(): Promise<Bait> {
  const directory = await createTemporaryDirectory()
  await directory.write('child.cjs', "require('node:fs').writeFileSync(__dirname + '/written-by-fork', 'hello')")
  const reached: string[] = []
  const open = new Set<{ destroy(): void }>()
  const servers: net.Server[] = []
  const listen = async (name: string, server: net.Server, event: string, greeting = ''): Promise<number> => {
    server.on(event, (socket: net.Socket) => {
      reached.push(`${name} connected`)
      open.add(socket)
      socket.on('error', () => undefined)
      if (event === 'stream') return
      if (name !== 'http' && name !== 'http2')
        socket.on('data', (piece) => reached.push(`${name} heard ${String(piece)}`) && socket.write(piece))
      if (greeting !== '') socket.write(greeting)
    })
    servers.push(server)
    if (name === 'unix') server.listen(directory.resolve('socket'))
    else server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const udp = dgram.createSocket('udp4')
  udp.on('message', (message, { port, address }) => {
    reached.push(`udp heard ${String(message)}`)
    udp.send(message, port, address)
  })
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  const web = http.createServer((request, response) => {
    reached.push(`http heard ${request.url}`)
    response.end('hello')
  })
  const streams = http2.createServer().on('stream', (stream) => {
    reached.push('http2 heard a request')
    stream.respond({ ':status': 200 })
    stream.end('hello')
  })
  const ports = {
    echo: await listen('echo', net.createServer(), 'connection'),
    banner: await listen('banner', net.createServer(), 'connection', 'welcome'),
    tls: await listen('tls', tls.createServer({ cert: certificate, key: privateKey }), 'secureConnection'),
    http2: await listen('http2', streams, 'connection'),
    http: await listen('http', web, 'connection'),
    udp: udp.address().port,
  }
  await listen('unix', net.createServer(), 'connection')
  return {
    ports,
    path: directory.resolve('socket'),
    folder: directory.path,
    get reached() {
      const files = existsSync(directory.path) ? readdirSync(directory.path).filter((name) => name.startsWith('written')) : []
      return [...reached, ...files]
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      for (const server of servers) server.close()
      udp.close()
      await directory[Symbol.asyncDispose]()
    },
  }
}
