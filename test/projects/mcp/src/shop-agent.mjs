// The usual agent of a server: its client is opened when the module loads, and used by every run.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const client = new Client({ name: 'support', version: '1.0.0' })
const transport = new StdioClientTransport({ command: 'node', args: ['src/shop-server.mjs'], env: { ...process.env } })
const ready = client.connect(transport).then(() => client.listTools())

export async function shop(id) {
  const { tools } = await ready
  const order = await client.callTool({ name: 'get_order', arguments: { order_id: id } })
  const refund = await client.callTool({ name: 'refund_order', arguments: { order_id: id } })
  return [tools.length, order.content, refund.content]
}

export const close = () => client.close()
