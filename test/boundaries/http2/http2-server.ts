import { once } from 'node:events'
import http2, { type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { gzipSync } from 'node:zlib'

/** A server of HTTP/2 that counts its requests. */
export interface Http2Server extends AsyncDisposable {
  readonly url: string
  readonly requests: number
  stop(): Promise<void>
}

const answers: Readonly<Record<string, (stream: ServerHttp2Stream, body: Buffer) => void>> = {
  '/json': (stream) => {
    stream.respond({ ':status': 201, 'content-type': 'application/json' })
    stream.end('{"id":"ord_1"}')
  },
  '/pieces': (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain' })
    const pieces = ['one', 'two', 'three']
    const timer = setInterval(() => {
      const piece = pieces.shift()
      if (piece !== undefined) return void stream.write(piece)
      clearInterval(timer)
      stream.end()
    }, 3)
  },
  '/nothing': (stream) => stream.respond({ ':status': 204 }, { endStream: true }),
  '/gzip': (stream) => {
    stream.respond({ ':status': 200, 'content-encoding': 'gzip', 'content-type': 'text/plain' })
    stream.end(gzipSync('a text that is compressed'))
  },
  '/trailers': (stream) => {
    stream.respond({ ':status': 200 }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ etag: 'abc' }))
    stream.end('body')
  },
  '/reset': (stream) => {
    stream.respond({ ':status': 200 })
    stream.write('some')
    setTimeout(() => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR), 10)
  },
  '/cancelled': (stream) => {
    stream.respond({ ':status': 200 })
    stream.write('some')
    setTimeout(() => stream.close(http2.constants.NGHTTP2_CANCEL), 10)
  },
  '/endless': (stream) => {
    stream.respond({ ':status': 200 })
    stream.write('first')
  },
  '/echo': (stream, body) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json' })
    stream.end(body)
  },
}

/** Listens. @param tls The certificate and key of a server over TLS. */
export async function listenHttp2(tls?: { readonly cert: string; readonly key: string }): Promise<Http2Server> {
  const server = tls === undefined ? http2.createServer() : http2.createSecureServer({ ...tls })
  const sessions = new Set<{ destroy(): void }>()
  let requests = 0
  server.on('session', (session) => sessions.add(session))
  server.on('stream', (stream, headers) => {
    requests += 1
    const pieces: Buffer[] = []
    stream.on('error', () => undefined).on('data', (piece: Buffer) => pieces.push(piece))
    const [path = ''] = (headers[':path'] ?? '').split('?')
    stream.on('end', () => answers[path]?.(stream, Buffer.concat(pieces)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async (): Promise<void> => {
    for (const session of sessions) session.destroy()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as { port: number }).port}`,
    get requests() {
      return requests
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Makes a request, and tells all that an agent can see of it. */
export async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<unknown> {
  const stream = session.request(headers)
  if (body !== undefined) stream.end(body)
  return await heardOf(stream)
}

/** All that an agent sees of an answer. */
export function heardOf(stream: ClientHttp2Stream): Promise<unknown> {
  const events: unknown[] = []
  stream.on('response', ({ date: _date, ...headers }) => events.push(['response', { ...headers }]))
  stream.on('data', (piece: Buffer) => events.push(['data', piece.toString('latin1')]))
  stream.on('trailers', (headers) => events.push(['trailers', { ...headers }]))
  stream.on('aborted', () => events.push(['aborted']))
  stream.on('end', () => events.push(['end']))
  stream.on('error', (error: NodeJS.ErrnoException) => events.push(['error', error.code, error.message]))
  return new Promise((resolve) => {
    stream.on('close', () => resolve([...events, ['close', stream.rstCode, stream.destroyed, stream.closed]]))
  })
}
