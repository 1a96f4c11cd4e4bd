import { isNamed } from '../../http/headers.ts'
import { withoutLeftOut } from '../../http/left-out-headers.ts'
import { withoutStandardText } from '../../http/status-text.ts'
import type { ConnectionAnswer } from '../../run/connections.ts'

/** Headers that a replay writes itself: of the upgrade, which answers the client's own key, and of the framing of a refusal. */
const ownHeaders = /^(?:upgrade|connection|keep-alive|transfer-encoding|content-length|sec-websocket-accept)$/i

/**
 * Returns what a trace keeps of a handshake's answer. The server may have chosen a protocol that holds a key. Source: RFC 6455, section
 * 4.2.2.
 */
export function keptAnswer(answer: ConnectionAnswer): ConnectionAnswer {
  const { headers } = withoutLeftOut({ headers: answer.headers.filter(([name]) => !ownHeaders.test(name)) })
  return { ...withoutStandardText(answer), headers: headers.map((pair) => (isProtocol(pair) ? [pair[0], withoutSecret(pair[1])] : pair)) }
}

/**
 * Returns a replay's answer for its client: with the protocol that the client offers, and without compression. A client that compresses
 * sends a message only once another thread has compressed it, which may be after the message's answer has arrived.
 *
 * @param offered The protocols that the client offers.
 */
export function replayedAnswer({ headers, ...answer }: ConnectionAnswer, offered: readonly string[]): ConnectionAnswer {
  const without = headers.filter((pair) => !isNamed(pair, 'sec-websocket-extensions'))
  return { ...answer, headers: without.map((pair) => (isProtocol(pair) ? [pair[0], offeredProtocol(pair[1], offered)] : pair)) }
}

function isProtocol(pair: readonly [string, string]): boolean {
  return isNamed(pair, 'sec-websocket-protocol')
}

/** Browsers cannot send custom headers, so keys are sent as protocols: `openai-insecure-api-key.…`. */
export function withoutSecret(protocol: string): string {
  return protocol.replace(/^(.*(?:key|token|auth|bearer|secret)[._-]).+$/i, '$1*')
}

/** Returns the offered protocol that equals the chosen one without its secret. */
function offeredProtocol(chosen: string, offered: readonly string[]): string {
  return offered.find((protocol) => withoutSecret(protocol) === chosen) ?? chosen
}
