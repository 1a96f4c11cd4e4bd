import { framedHeaders } from '../../http/received-headers.ts'
import { statusTextOf } from '../../http/status-text.ts'
import { builtins } from '../../node/builtins.ts'
import type { ConnectionAnswer } from '../../run/connections.ts'
import type { MemorySocket, SocketUse } from './memory-socket.ts'

/** Delivers a handshake's answer to a client that is connected to nothing. */
export interface Handshake extends SocketUse {
  answer(answer: ConnectionAnswer, memory: MemorySocket): void
  /** Delivers a piece of the body of a refusal. */
  body(bytes: Buffer, memory: MemorySocket): void
  /** Ends a refusal. */
  end(memory: MemorySocket): void
  fail(error: Error, memory: MemorySocket): void
}

/** Creates the handshake of a client that writes its request to the socket. @param key The client's `Sec-WebSocket-Key`. */
export function writtenHandshake(key: string, isSecure: boolean): Handshake {
  return {
    isSecure,
    isWritten: true,
    answer(answer, memory) {
      const { status, headers } = answer
      const pairs = status === 101 ? openHeaders(answer, key) : [...framedHeaders(headers), ['Connection', 'close'] as const]
      const lines = pairs.map(([name, value]) => `${name}: ${value}\r\n`)
      memory.say(Buffer.from(`HTTP/1.1 ${status} ${statusTextOf(answer)}\r\n${lines.join('')}\r\n`, 'latin1'))
    },
    body: (bytes, memory) => memory.say(bytes),
    end: (memory) => memory.end(),
    fail: (error, memory) => memory.fail(error),
  }
}

/** Returns the headers of an answer that opens a connection. Source: RFC 6455, section 4.2.2. */
export function openHeaders({ headers }: ConnectionAnswer, key: string): (readonly [string, string])[] {
  const accept = builtins.crypto.createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  return [['Upgrade', 'websocket'], ['Connection', 'Upgrade'], ['Sec-WebSocket-Accept', accept], ...headers]
}
