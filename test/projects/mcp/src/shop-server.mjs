// A server of tools over stdio. Each start and each call leaves a line in SHOP_LOG.
import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const log = (line) => appendFileSync(process.env.SHOP_LOG, `${line}\n`)
const inputSchema = { order_id: z.string() }
const server = new McpServer({ name: 'shop', version: '1.0.0' })

log('start')
server.registerTool(
  'get_order',
  { inputSchema, annotations: { readOnlyHint: true } },
  async ({ order_id: id }, { _meta: meta, sendNotification }) => {
    log(`get_order ${id}`)
    const progressToken = meta?.progressToken
    if (progressToken !== undefined)
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } })
    return { content: [{ type: 'text', text: `${id} was paid, receipt ${Math.random()}` }] }
  },
)
server.registerTool('refund_order', { inputSchema, annotations: { readOnlyHint: false } }, async ({ order_id: id }) => {
  log(`refund_order ${id}`)
  return { content: [{ type: 'text', text: `${id} is refunded at ${Date.now()}` }] }
})
await server.connect(new StdioServerTransport())
