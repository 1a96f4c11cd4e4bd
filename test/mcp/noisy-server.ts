import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListRootsResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

// A server that says more than it is asked: at its start, while it works, and after it has answered.
const server = new Server({ name: 'noisy', version: '1.0.0' }, { capabilities: { tools: { listChanged: true }, logging: {} } })
const log = async (data: unknown): Promise<void> => await server.sendLoggingMessage({ level: 'info', data })

server.oninitialized = () => {
  void (async () => {
    await server.sendToolListChanged()
    for (let line = 0; line < 5; line += 1) await log(`start ${line}`)
    await log(await server.request({ method: 'roots/list' }, ListRootsResultSchema))
  })()
}
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'work', inputSchema: { type: 'object' } }] }))
server.setRequestHandler(CallToolRequestSchema, async () => {
  const ticks = setInterval(() => void log('tick'), 3)
  await new Promise((resolve) => setTimeout(resolve, 15))
  clearInterval(ticks)
  setTimeout(() => void log('after'), 2)
  return { content: [{ type: 'text', text: 'worked' }] }
})
await server.connect(new StdioServerTransport())
