import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import zlib from 'node:zlib'
import { certificate, privateKey } from './certificate.ts'
import { describeParts } from './multipart-parts.ts'

/** A server on loopback that shows every behaviour of HTTP that a client may meet, one a path. */
export interface Origin extends AsyncDisposable {
  /** Of the plain server, without a slash at its end. */
  readonly url: string
  /** Of the same server over TLS. */
  readonly secureUrl: string
  /** A port that nothing listens on. */
  readonly closedPort: number
  /** Lets the answer that waits for it go on after its first piece. */
  openGate(): void
  /** How many answers a client left before their end. */
  readonly left: number
  close(): Promise<void>
}

/** Pieces of the streamed answers. Each is sent in a turn of the event loop of its own, so that each arrives alone. */
const events: readonly string[] = ['data: {"n":1}\n\n', 'data: {"n":2}\n\n', 'event: last\ndata: {"n":3}\n\n', 'data: [DONE]\n\n']

/** Two messages as AWS frames them: lengths, headers and checks in bytes that are no text. */
const frames: readonly Buffer[] = ['{"n":1}', '{"n":2}'].map(toFrame)

/** A body that compression makes smaller. */
const longText: string = JSON.stringify({ words: Array.from({ length: 300 }, (_, index) => `word ${index % 17}`) })

/** Starts an origin. */
export async function startOrigin(): Promise<Origin> {
  let left = 0
  const listener: RequestListener = (incoming, response) => {
    response.once('close', () => {
      if (!response.writableFinished) left += 1
    })
    void answer(incoming, response)
  }
  const plain = await listen(createServer({ keepAliveTimeout: 60_000 }, listener))
  const secure = await listen(createSecureServer({ key: privateKey, cert: certificate, keepAliveTimeout: 60_000 }, listener))
  const unused = await listen(createServer())
  await stop(unused)
  const close = async (): Promise<void> => void (await Promise.all([stop(plain), stop(secure)]))
  return {
    url: `http://127.0.0.1:${plain.port}`,
    secureUrl: `https://127.0.0.1:${secure.port}`,
    closedPort: unused.port,
    openGate() {
      gate.resolve()
      gate = Promise.withResolvers()
    },
    get left() {
      return left
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

let gate = Promise.withResolvers<void>()

type Answer = (incoming: IncomingMessage, response: ServerResponse, body: Buffer) => void | Promise<void>

const redirect =
  (status: number): Answer =>
  (incoming, response) => {
    response.writeHead(status, { location: `/landed?from=${status}` }).end()
  }

const encoded =
  (name: string, encode: (bytes: Buffer) => Buffer): Answer =>
  (_incoming, response) => {
    const bytes = encode(Buffer.from(longText))
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': name, 'content-length': bytes.length }).end(bytes)
  }

const answers: Readonly<Record<string, Answer>> = {
  '/json': (incoming, response, body) => sendJson(response, { method: incoming.method, body: body.toString() }),
  '/sse': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    for (const event of events) await send(response, event)
    response.end()
  },
  '/ndjson': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    for (const line of ['{"n":1}\n', '{"n":2}\n{"n":', '3}\n']) await send(response, line)
    response.end()
  },
  '/aws-events': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    for (const frame of frames) await send(response, frame)
    response.end()
  },
  '/chunked': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    for (const piece of ['one', 'two', 'three']) await send(response, piece)
    response.end()
  },
  '/gated': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write('first')
    await gate.promise
    response.end('second')
  },
  '/gzip': encoded('gzip', zlib.gzipSync),
  '/br': encoded('br', zlib.brotliCompressSync),
  '/zstd': encoded('zstd', zlib.zstdCompressSync),
  '/gzip-sse': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    const gzip = zlib.createGzip()
    const ready: Buffer[] = []
    gzip.on('data', (bytes: Buffer) => ready.push(bytes))
    for (const event of events) {
      gzip.write(event)
      await new Promise<void>((resolve) => gzip.flush(resolve))
      await send(response, Buffer.concat(ready.splice(0)))
    }
    gzip.once('end', () => response.end(Buffer.concat(ready))).end()
  },
  '/multipart': (incoming, response, body) => sendJson(response, describeParts(incoming.headers['content-type'] ?? '', body)),
  '/binary': (_incoming, response, body) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': body.length }).end(body.toReversed())
  },
  '/301': redirect(301),
  '/302': redirect(302),
  '/303': redirect(303),
  '/307': redirect(307),
  '/landed': (incoming, response, body) => sendJson(response, { method: incoming.method, url: incoming.url, body: body.toString() }),
  '/head': (_incoming, response) => void response.writeHead(200, { 'content-length': '1234', 'x-total-count': '7', etag: '"v1"' }).end(),
  '/204': (_incoming, response) => void response.writeHead(204, { 'x-request-id': 'none' }).end(),
  '/503': (_incoming, response) => {
    response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '20' }).end('overloaded')
  },
  '/trailers': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', trailer: 'x-request-id' })
    await send(response, 'first ')
    await send(response, 'second')
    response.addTrailers({ 'x-request-id': 'from-the-trailer' })
    response.end()
  },
  '/duplicates': (_incoming, response) => {
    response.writeHead(200, ['link', '</a>; rel=next', 'content-type', 'text/plain', 'link', '</b>; rel=prev']).end('two links')
  },
  '/cut': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    await send(response, 'all is ')
    await send(response, 'well un')
    response.destroy()
  },
  '/reset': (incoming) => void incoming.socket.destroy(),
  '/silence': () => undefined,
  '/endless': async (_incoming, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    for (let count = 1; !response.destroyed && count < 10_000; count += 1) await send(response, `${count} `)
  },
  '/late': async (incoming, response) => {
    const milliseconds = Number(new URL(incoming.url ?? '', 'http://origin').searchParams.get('after'))
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    if (incoming.headers['accept-encoding'] !== 'gzip') return void response.end(`after ${milliseconds}`)
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync(`after ${milliseconds}`))
  },
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(incoming.url ?? '/', 'http://origin')
  const known = answers[pathname]
  if (known === undefined) return void response.writeHead(404).end()
  const pieces: Buffer[] = []
  try {
    for await (const piece of incoming) pieces.push(piece)
    await known(incoming, response, Buffer.concat(pieces))
  } catch {
    // The client has gone.
    response.destroy()
  }
}

/** Source: Smithy, "Amazon Event Stream": prelude, its check, one header of a string, the payload, the check of it all. */
function toFrame(payload: string): Buffer {
  const header = Buffer.concat([Buffer.of(11), Buffer.from(':event-type'), Buffer.of(7, 0, 5), Buffer.from('chunk')])
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + header.length + payload.length, 0)
  prelude.writeUInt32BE(header.length, 4)
  const checked = (bytes: Buffer): Buffer => {
    const check = Buffer.alloc(4)
    check.writeUInt32BE(zlib.crc32(bytes))
    return Buffer.concat([bytes, check])
  }
  return checked(Buffer.concat([checked(prelude), header, Buffer.from(payload)]))
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_1' }).end(JSON.stringify(value))
}

/** Writes a piece and lets a client in this process read it before the next is written. */
async function send(response: ServerResponse, piece: string | Buffer): Promise<void> {
  response.write(piece)
  await turn()
}

async function turn(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await new Promise((resolve) => setTimeout(resolve, 1))
}

async function listen<Listener extends Server>(server: Listener): Promise<Listener & { readonly port: number }> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeAllConnections' in server && typeof server.closeAllConnections === 'function') server.closeAllConnections()
  })
}
