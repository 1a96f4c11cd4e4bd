import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

const answers: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1.0.0' } },
  'tools/list': { tools: [{ name: 'get_order', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'order ord_1 was paid and has not been shipped' }] },
}

/** The stub that a test would use in place of an MCP server: it answers in the next turn of the event loop. */
export class StubTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>

  async start(): Promise<void> {
    // Nothing to start.
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!('method' in message) || !('id' in message)) return
    const { id, method } = message
    // As text, because a transport parses what arrives.
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] })
    setImmediate(() => this.onmessage?.(JSON.parse(text) as JSONRPCMessage))
  }

  async close(): Promise<void> {
    // Nothing to close.
  }
}
