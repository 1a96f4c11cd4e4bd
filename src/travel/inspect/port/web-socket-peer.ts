import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { encodeFrame, type Frame, FrameReader, opcodes } from '../../../boundaries/websocket/frames.ts'
import { openHeaders } from '../../../boundaries/websocket/handshake.ts'

/** The server's side of a WebSocket (RFC 6455) that carries texts, as far as a debugger's client needs it. */
export class WebSocketPeer {
  readonly #socket: Duplex
  readonly #frames = new FrameReader()
  #onText: (text: string) => void = () => undefined
  #parts: Buffer[] = []

  /** Accepts an upgrade. */
  constructor({ headers }: IncomingMessage, socket: Duplex) {
    this.#socket = socket
    const opening = openHeaders({ status: 101, headers: [] }, headers['sec-websocket-key'] ?? '')
    const lines = ['HTTP/1.1 101 Switching Protocols', ...opening.map((pair) => pair.join(': '))]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    socket.on('error', () => socket.destroy())
  }

  /**
   * Begins to read.
   *
   * @param onText Called with each message.
   * @param onClose Called once, however the connection ends.
   */
  listen(onText: (text: string) => void, onClose: () => void): void {
    this.#onText = onText
    this.#socket.once('close', onClose)
    // A client may close its side without a close frame. Node keeps the other side open.
    this.#socket.once('end', () => this.#socket.end())
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
  }

  send(text: string): void {
    this.#write(opcodes.text, Buffer.from(text))
  }

  close(): void {
    this.#write(opcodes.close, Buffer.alloc(0))
    this.#socket.end()
  }

  #read(bytes: Buffer): void {
    try {
      for (const frame of this.#frames.add(bytes)) this.#take(frame)
    } catch {
      // These are not frames: any process on this machine may send anything.
      this.#socket.destroy()
    }
  }

  #take({ opcode, isFinal, payload }: Frame): void {
    if (opcode === opcodes.close) return this.close()
    if (opcode === opcodes.ping) return this.#write(opcodes.pong, payload)
    if (opcode === opcodes.pong) return
    this.#parts.push(payload)
    if (!isFinal) return
    const text = Buffer.concat(this.#parts.splice(0)).toString()
    this.#onText(text)
  }

  #write(opcode: number, payload: Buffer): void {
    if (!this.#socket.destroyed) this.#socket.write(encodeFrame(opcode, payload))
  }
}
