import { isJsonObject } from '../json.ts'

/** Requests of an MCP client that only read from its server. @see https://modelcontextprotocol.io/specification */
const readingMethods =
  /^(?:initialize|ping|tools\/list|prompts\/(?:list|get)|resources\/(?:list|read|templates\/list)|completion\/complete|notifications\/.+)$/

/** Returns whether a body consists of messages of an MCP client that only read. */
export function isMcpRead(body: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  return messages.length > 0 && messages.every(isReadingMessage)
}

function isReadingMessage(message: unknown): boolean {
  if (!isJsonObject(message) || message['jsonrpc'] !== '2.0') return false
  return typeof message['method'] === 'string' && readingMethods.test(message['method'])
}
