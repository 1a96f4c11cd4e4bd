import { opensSession, type RpcMessage } from '../../models/mcp.ts'
import { parseMessage } from './mcp-session.ts'

/** The role of a fetch call for an MCP server. Source: the protocol's "streamable HTTP". */
export type FetchMessage =
  | { readonly kind: 'message'; readonly url: string; readonly message: RpcMessage }
  /** Waits for the server's messages. */
  | { readonly kind: 'listen'; readonly url: string }
  /** Ends the session. */
  | { readonly kind: 'end'; readonly url: string }

/** How many characters at each end of a body are searched: the protocol's name is at one of them. */
const edge = 200

/** Reads the message of a fetch call; returns undefined for any other call. MCP clients call `fetch` with a URL and text. */
export function readFetchMessage(input: RequestInfo | URL, init: RequestInit | undefined): FetchMessage | undefined {
  if (init === undefined || input instanceof Request) return undefined
  const { method = 'GET', body } = init
  if (typeof body === 'string') {
    if (!body.startsWith('{') || !(body.slice(0, edge).includes('"jsonrpc"') || body.slice(-edge).includes('"jsonrpc"'))) return undefined
    const message = method.toUpperCase() === 'POST' ? parseMessage(body) : undefined
    // Other protocols also use JSON-RPC.
    const isMcp =
      message !== undefined && (opensSession(message) || isHeader(init, 'mcp-protocol-version') || isHeader(init, 'mcp-session-id'))
    return isMcp && takesEvents(init) ? { kind: 'message', url: addressOf(input), message } : undefined
  }
  if (body !== undefined && body !== null) return undefined
  if (method === 'DELETE' && isHeader(init, 'mcp-session-id')) return { kind: 'end', url: addressOf(input) }
  const listens = method === 'GET' && isHeader(init, 'mcp-protocol-version') && headerOf(init, 'accept') === 'text/event-stream'
  return listens ? { kind: 'listen', url: addressOf(input) } : undefined
}

/**
 * Returns whether the answer may be a stream of events, as "streamable HTTP" requires of its clients. Over the older transport, "HTTP with
 * SSE", answers come over another request, so its requests are ordinary ones.
 */
function takesEvents(init: RequestInit): boolean {
  return headerOf(init, 'accept')?.includes('text/event-stream') === true
}

function isHeader(init: RequestInit, name: string): boolean {
  return headerOf(init, name) !== null
}

/** Returns null also for headers that fetch refuses: it says so itself. */
function headerOf({ headers }: RequestInit, name: string): string | null {
  try {
    return headers === undefined ? null : new Headers(headers).get(name)
  } catch {
    return null
  }
}

/** Returns the URL without query and fragment, which may hold secrets. */
function addressOf(input: string | URL): string {
  const url = URL.parse(String(input))
  return url === null ? String(input) : `${url.origin}${url.pathname}`
}
