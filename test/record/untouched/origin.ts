import { createHash } from 'node:crypto'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import type { Behaviour } from './behaviour.ts'

/** A server that does with each request what that says, byte by byte. */
export interface Origin extends AsyncDisposable {
  urlOf(behaviour: Behaviour): string
}

export async function startOrigin(): Promise<Origin> {
  const sockets = new Set<Socket>()
  const server = net.createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    void serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  return {
    urlOf: (behaviour) => `http://127.0.0.1:${port}/0/${Buffer.from(JSON.stringify(behaviour)).toString('base64url')}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function serve(socket: Socket): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  const pieces = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const more = async (): Promise<boolean> => {
    const next = await pieces.next().catch(() => undefined)
    if (next === undefined || next.done === true) return false
    rest = Buffer.concat([rest, next.value])
    return true
  }
  for (;;) {
    while (!rest.includes('\r\n\r\n')) if (!(await more())) return
    const end = rest.indexOf('\r\n\r\n')
    const head = rest.subarray(0, end).toString('latin1')
    rest = rest.subarray(end + 4)
    const [, path = ''] = head.split(' ')
    const [, hop = '', text = ''] = path.split('/')
    const behaviour = JSON.parse(Buffer.from(text, 'base64url').toString()) as Behaviour
    if (/^expect: *100-continue/im.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    const isChunked = /^transfer-encoding: *chunked/im.test(head)
    while (isChunked ? !rest.includes('0\r\n\r\n') : rest.length < length) if (!(await more())) return
    const bodyEnd = isChunked ? rest.indexOf('0\r\n\r\n') + 5 : length
    const sent = isChunked ? unchunked(rest.subarray(0, bodyEnd)) : rest.subarray(0, bodyEnd)
    rest = rest.subarray(bodyEnd)
    const method = head.split(' ')[0] ?? ''
    const keeps = Number(hop) < behaviour.hops ? redirect(socket, method, Number(hop), text) : await answer(socket, method, behaviour, sent)
    if (!keeps) return void socket.end()
  }
}

function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, end).toString(), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
}

function redirect(socket: Socket, method: string, hop: number, text: string): boolean {
  const body = method === 'HEAD' ? '' : 'move'
  return (
    socket.write(`HTTP/1.1 302 Found\r\nLocation: /${hop + 1}/${text}\r\nContent-Length: 4\r\nContent-Encoding: identity\r\n\r\n${body}`),
    true
  )
}

/** Gives whether the connection is kept. */
async function answer(socket: Socket, method: string, behaviour: Behaviour, sent: Buffer): Promise<boolean> {
  const { version, hints, status, reason, codings, isShouted, framing, cut, pieces, keepsAlive } = behaviour
  for (let count = 0; count < hints; count += 1) socket.write('HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n')
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const body = encode(behaviour)
  const named = codings.join(', ')
  const isKept = keepsAlive && version === '1.1' && (framing !== 'close' || !hasBody)
  const { repeats, note, cookies, turned } = behaviour
  const trailers = trailersOf(behaviour)
  const fields: readonly Field[] = [
    ['Content-Type', 'application/json'],
    ...Array.from({ length: repeats }, (_, index): Field => ['X-Two', `value ${index}`]),
    ...cookies.map((cookie): Field => ['Set-Cookie', cookie]),
    ...(note === undefined ? [] : [['X-Note', Buffer.from(note.text, note.as).toString('latin1')] satisfies Field]),
    ['X-Received', createHash('sha256').update(sent).digest('hex').slice(0, 8)],
    ...(codings.length === 0 ? [] : [['Content-Encoding', isShouted ? named.toUpperCase() : named] satisfies Field]),
    ...(framing === 'length' && status !== 204 ? [['Content-Length', String(body.length)] satisfies Field] : []),
    ...(framing === 'chunked' && status !== 204 ? [['Transfer-Encoding', 'chunked'] satisfies Field] : []),
    ...(trailers.length === 0 ? [] : [['Trailer', 'x-sum, x-left'] satisfies Field]),
    ['Connection', isKept ? 'keep-alive' : 'close'],
  ]
  const lines = [...fields.slice(turned), ...fields.slice(0, turned)]
  socket.write(`HTTP/${version} ${status} ${reason}\r\n${write(lines, behaviour)}\r\n`, 'latin1')
  if (!hasBody) return isKept
  const end = cut === undefined ? body.length : Math.floor(body.length * cut.at)
  const size = Math.max(1, Math.ceil(end / pieces))
  for (let at = 0; at < end; at += size) {
    const piece = body.subarray(at, Math.min(at + size, end))
    socket.write(
      framing === 'chunked' ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]) : piece,
    )
    await sleep(2)
  }
  if (cut !== undefined) {
    if (cut.by === 'reset') socket.resetAndDestroy()
    return false
  }
  if (framing === 'chunked') socket.write(`0\r\n${write(trailers, behaviour)}\r\n`, 'latin1')
  return isKept
}

/** A name and a value, whose characters are bytes. */
type Field = readonly [name: string, value: string]

function trailersOf({ trailers, status }: Behaviour): Field[] {
  if (status === 204 || status === 304) return []
  return Array.from({ length: trailers }, (_, index) => (index % 3 === 2 ? ['X-Left', 'nothing \u00E9'] : ['X-Sum', String(41 + index)]))
}

function write(fields: readonly Field[], { spelling }: Behaviour): string {
  return fields.map(([name, value], index) => `${spell(name, spelling, index)}: ${value}\r\n`).join('')
}

function spell(name: string, spelling: Behaviour['spelling'], index: number): string {
  if (spelling === 'usual' || (spelling === 'mixed' && index % 2 === 0)) return name
  return spelling === 'upper' ? name.toUpperCase() : name.toLowerCase()
}

function encode({ size, codings, isDeflatedRaw, isBroken }: Behaviour): Buffer {
  const plain = Buffer.from(JSON.stringify({ text: 'Hëllo, world. '.repeat(Math.ceil(size / 14)).slice(0, size) }))
  const encoded = codings.reduce((bytes: Buffer, coding) => {
    switch (coding) {
      case 'gzip':
      case 'x-gzip':
        return zlib.gzipSync(bytes)
      case 'br':
        return zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })
      case 'deflate':
        return isDeflatedRaw ? zlib.deflateRawSync(bytes) : zlib.deflateSync(bytes)
      case 'zstd':
        return zlib.zstdCompressSync(bytes)
      default:
        return bytes
    }
  }, plain)
  // A small zstd frame that is cut like this is whole, with something behind it (docs/limits.md).
  const isCuttable = size > 20 || !codings.includes('zstd')
  return isBroken && isCuttable ? Buffer.concat([encoded.subarray(0, encoded.length >> 1), Buffer.alloc(40, 0xf5)]) : encoded
}
