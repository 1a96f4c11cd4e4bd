import type { ConnectionAnswer } from '../../run/connections.ts'

/**
 * Returns what a trace keeps of a handshake's answer: only the headers that clients act on, because others may be secret. The server may
 * have chosen a protocol that holds a key. Source: RFC 6455, section 4.2.2.
 */
export function keptAnswer({ status, headers }: ConnectionAnswer): ConnectionAnswer {
  const kept = headers.filter(([name]) =>
    /^(?:sec-websocket-(?:protocol|extensions|version)|content-type|location|retry-after|(?:x-)?request-id)$/.test(name),
  )
  return { status, headers: kept.map(([name, value]) => [name, name === 'sec-websocket-protocol' ? withoutSecret(value) : value]) }
}

/**
 * Returns a replay's answer for its client: with the protocol that the client offers, and without compression. A client that compresses
 * sends a message only once another thread has compressed it, which may be after the message's answer has arrived.
 *
 * @param offered The protocols that the client offers.
 */
export function replayedAnswer({ status, headers }: ConnectionAnswer, offered: readonly string[]): ConnectionAnswer {
  const without = headers.filter(([name]) => name !== 'sec-websocket-extensions')
  return {
    status,
    headers: without.map(([name, value]) => [name, name === 'sec-websocket-protocol' ? offeredProtocol(value, offered) : value]),
  }
}

/** Browsers cannot send custom headers, so keys are sent as protocols: `openai-insecure-api-key.…`. */
export function withoutSecret(protocol: string): string {
  return protocol.replace(/^(.*(?:key|token|auth|bearer|secret)[._-]).+$/i, '$1*')
}

/** Returns the offered protocol that equals the chosen one without its secret. */
function offeredProtocol(chosen: string, offered: readonly string[]): string {
  return offered.find((protocol) => withoutSecret(protocol) === chosen) ?? chosen
}
