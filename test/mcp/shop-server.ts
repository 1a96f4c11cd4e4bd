import { appendFileSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  EmptyResultSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  ListResourcesRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'

/** A server of tools. It leaves a line in `SHOP_LOG` for each start and each tool call. */
export function createShopServer(log: (line: string) => void): Server {
  const server = new Server(
    { name: 'shop', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, resources: {}, logging: {} } },
  )
  const inputSchema = { type: 'object', properties: {} } as const
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      { name: 'get_order', inputSchema, annotations: { readOnlyHint: true } },
      { name: 'refund_order', inputSchema, annotations: { readOnlyHint: false } },
      { name: 'count', inputSchema },
      { name: 'ask_model', inputSchema },
      { name: 'ask_user', inputSchema },
      { name: 'fail', inputSchema },
      { name: 'crash', inputSchema },
    ],
  }))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: 'shop://terms', name: 'terms' }] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({ contents: [{ uri: params.uri, text: 'No returns.' }] }))
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params: { name, arguments: args = {}, _meta } }, { signal, sendNotification, sendRequest }) => {
      log(`${name} ${JSON.stringify(args)}`)
      const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
      switch (name) {
        case 'get_order': {
          await new Promise((resolve) => setTimeout(resolve, Number(args['wait'] ?? 1)))
          return text(`order ${String(args['order_id'])} is open, token ${Math.random()}`)
        }
        case 'refund_order':
          return text(`refunded ${String(args['order_id'])}`)
        case 'count': {
          const progressToken = _meta?.progressToken
          for (let progress = 1; progress <= 3; progress += 1) {
            await new Promise((resolve) => setTimeout(resolve, 2))
            if (progressToken !== undefined)
              await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } })
          }
          // The client has read all of it when it answers: the SDK gives no progress that arrives in one piece with the result.
          await sendRequest({ method: 'ping' }, EmptyResultSchema)
          await server.sendLoggingMessage({ level: 'info', data: 'counted' })
          return text('counted to 3')
        }
        case 'ask_model': {
          const { content } = await server.request(
            {
              method: 'sampling/createMessage',
              params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
            },
            CreateMessageResultSchema,
          )
          return text(`the model said ${JSON.stringify(content)}`)
        }
        case 'ask_user': {
          const result = await server.request(
            {
              method: 'elicitation/create',
              params: { message: 'Sure?', requestedSchema: { type: 'object', properties: { sure: { type: 'boolean' } } } },
            },
            ElicitResultSchema,
          )
          return text(`the user said ${JSON.stringify(result)}`)
        }
        case 'crash':
          process.exit(7)
        // falls through
        case 'fail':
          throw new Error('the shop is closed')
        default:
          signal.throwIfAborted()
          return text('nothing')
      }
    },
  )
  return server
}

if (process.argv[2] === 'stdio') {
  const mark = process.env['SHOP_LOG'] ?? ''
  const log = (line: string): void => appendFileSync(mark, `${line}\n`)
  log('start')
  await createShopServer(log).connect(new StdioServerTransport())
}
