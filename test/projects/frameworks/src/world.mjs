import { createServer } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

const json = (response, body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A model, a shop and an MCP server on loopback; with `seen`, what they were asked, and `env`, by which agents find them. */
export async function startWorld() {
  const seen = []
  const mcp = await startMcp()
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://world')
    seen.push(`${request.method} ${pathname}`)
    if (pathname === '/mcp') return await mcp.handleRequest(request, response)
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    if (pathname === '/v1/chat/completions') return complete(response, JSON.parse(Buffer.concat(chunks).toString()))
    const [, id, verb] = /^\/orders\/(\w+)(\/cancel)?$/.exec(pathname) ?? []
    if (id === undefined) return response.writeHead(404).end()
    json(response, { id, status: verb === undefined ? 'packed' : 'cancelled' })
  }).listen(0, '127.0.0.1')
  // Loading a framework takes its time, and a connection is kept meanwhile.
  server.keepAliveTimeout = 120_000
  await new Promise((resolve) => server.once('listening', resolve))
  const base = `http://127.0.0.1:${server.address().port}`
  return {
    seen,
    env: { OPENAI_BASE_URL: `${base}/v1`, OPENAI_API_KEY: 'key-of-nobody', SHOP_URL: base, MCP_URL: `${base}/mcp` },
    async close() {
      await mcp.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function startMcp() {
  const server = new McpServer({ name: 'orders', version: '1.0.0' })
  const inputSchema = { id: z.string() }
  const answer = (order) => ({ content: [{ type: 'text', text: JSON.stringify(order) }] })
  server.registerTool('get_order', { inputSchema }, ({ id }) => answer({ id, status: 'packed' }))
  server.registerTool('cancel_order', { inputSchema }, ({ id }) => answer({ id, status: 'cancelled' }))
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session_1' })
  await server.connect(transport)
  return transport
}

function complete(response, { model, messages, tools = [], stream = false }) {
  const head = { id: `cmpl_${messages.length}`, created: 1_790_000_000, model }
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  const { content = null, calls = [] } = say(
    messages,
    tools.map((tool) => tool.function.name),
  )
  const tool_calls = calls.map(([name, args], index) => ({
    index,
    id: `call_${messages.length}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
  if (!stream) {
    const message = { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls } : {}) }
    return json(response, { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage })
  }
  const chunk = (delta, finish_reason = null, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`,
    )
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  chunk({ role: 'assistant', content: '' })
  for (const call of tool_calls) chunk({ tool_calls: [call] })
  for (const word of content?.split(/(?<= )/) ?? []) chunk({ content: word })
  chunk({}, finish_reason, { usage })
  response.end('data: [DONE]\n\n')
}

/** What the model says next: it hands over where it can, looks two orders up, cancels the first, and answers. */
function say(messages, tools) {
  const ofTurn = messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
  const results = ofTurn.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content))
  const handOver = tools.find((name) => name.startsWith('transfer_to_'))
  if (handOver !== undefined && results.length === 0) return { calls: [[handOver, {}]] }
  if (/which/i.test(textOf(ofTurn[0].content)))
    return { content: JSON.stringify(messages).includes('cancelled') ? 'It was ord_1.' : 'I do not know.' }
  if (!results.some((text) => text.includes('packed'))) return { calls: ['ord_1', 'ord_2'].map((id) => ['get_order', { id }]) }
  if (!results.some((text) => text.includes('cancelled'))) return { calls: [['cancel_order', { id: 'ord_1' }]] }
  return { content: 'Your first order is cancelled.' }
}

const textOf = (content) => (typeof content === 'string' ? content : JSON.stringify(content))
