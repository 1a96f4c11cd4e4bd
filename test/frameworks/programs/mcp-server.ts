import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

/** An MCP server with one tool. */
export function createOrderServer(): McpServer {
  const server = new McpServer({ name: 'orders', version: '1.0.0' })
  const description = 'Looks an order up.'
  server.registerTool(
    'get_order',
    { description, inputSchema: { id: z.string() }, outputSchema: { status: z.string() } },
    async ({ id }) => {
      const status = id === 'ord_1' ? 'packed' : 'shipped'
      return { content: [{ type: 'text', text: `${id} is ${status}` }], structuredContent: { status } }
    },
  )
  return server
}
