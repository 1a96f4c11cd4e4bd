import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** The server's side of a WebSocket (RFC 6455) that carries texts, as a debugger's client speaks it. */
export class WebSocketPeer {
  readonly #socket: Duplex
  #onText: (text: string) => void = () => undefined
  #buffered: Buffer = Buffer.alloc(0)
  #parts: Buffer[] = []

  /** Accepts an upgrade. */
  constructor({ headers }: IncomingMessage, socket: Duplex) {
    this.#socket = socket
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key'] ?? ''}${GUID}`)
      .digest('base64')
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.on('error', () => socket.destroy())
  }

  /**
   * Begins to read.
   *
   * @param onText Called with each message.
   * @param onClose Called once, however it ends.
   */
  listen(onText: (text: string) => void, onClose: () => void): void {
    this.#onText = onText
    this.#socket.once('close', onClose)
    // A client may end its side without a word. Node keeps the other one open.
    this.#socket.once('end', () => this.#socket.end())
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
  }

  send(text: string): void {
    this.#write(TEXT, Buffer.from(text))
  }

  close(): void {
    this.#write(CLOSE, Buffer.alloc(0))
    this.#socket.end()
  }

  #read(bytes: Buffer): void {
    this.#buffered = Buffer.concat([this.#buffered, bytes])
    for (let frame = parseFrame(this.#buffered); frame !== undefined; frame = parseFrame(this.#buffered)) {
      this.#buffered = this.#buffered.subarray(frame.length)
      this.#take(frame)
    }
  }

  #take({ code, isLast, payload }: Frame): void {
    if (code === CLOSE) return this.close()
    if (code === PING) return this.#write(PONG, payload)
    if (code === PONG) return
    this.#parts.push(payload)
    if (!isLast) return
    const text = Buffer.concat(this.#parts.splice(0)).toString()
    this.#onText(text)
  }

  #write(code: number, payload: Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(Buffer.concat([headOf(code, payload.length), payload]))
  }
}

interface Frame {
  readonly code: number
  readonly isLast: boolean
  readonly payload: Buffer
  /** With its head. */
  readonly length: number
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10]

/** The first frame of what has arrived; undefined if it is not complete. */
function parseFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined
  const [first, second] = [bytes.readUInt8(0), bytes.readUInt8(1)]
  const short = second & 0x7f
  const sizeBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const maskAt = 2 + sizeBytes
  const isMasked = (second & 0x80) !== 0
  const start = maskAt + (isMasked ? 4 : 0)
  if (bytes.length < start) return undefined
  const size = sizeBytes === 0 ? short : sizeBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
  if (bytes.length < start + size) return undefined
  const payload = Buffer.from(bytes.subarray(start, start + size))
  if (isMasked) for (let index = 0; index < size; index += 1) payload[index] = (payload[index] ?? 0) ^ (bytes[maskAt + (index % 4)] ?? 0)
  return { code: first & 0x0f, isLast: (first & 0x80) !== 0, payload, length: start + size }
}

/** The head of a frame that is one message. */
function headOf(code: number, size: number): Buffer {
  const first = 0x80 | code
  if (size < 126) return Buffer.from([first, size])
  if (size < 2 ** 16) return Buffer.from([first, 126, size >> 8, size & 0xff])
  const head = Buffer.alloc(10)
  head.writeUInt8(first, 0)
  head.writeUInt8(127, 1)
  head.writeBigUInt64BE(BigInt(size), 2)
  return head
}
