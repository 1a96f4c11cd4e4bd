// Agents as their frameworks' documentation has them: nothing in them knows of goldenrun. Each looks up an order and refunds it.
import { setTimeout as sleep } from 'node:timers/promises'

const server = { command: process.execPath, args: ['src/shop-server.mjs'] }
const plain = (value) => JSON.parse(JSON.stringify(value))
const tools = ['get_order', 'refund_order']
const envOf = () => ({ ...process.env })

export const agents = {
  async 'the SDK of MCP'(id) {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
    const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js')
    const client = new Client({ name: 'support', version: '1.0.0' })
    await client.connect(new StdioClientTransport({ ...server, env: envOf() }))
    const progress = []
    const order = await client.callTool({ name: 'get_order', arguments: { order_id: id } }, undefined, {
      onprogress: (step) => progress.push(step),
    })
    const refund = await client.callTool({ name: 'refund_order', arguments: { order_id: id } })
    await client.close()
    return plain([order, refund, progress])
  },
  async 'the client of MCP 2026'(id) {
    const { Client } = await import('@modelcontextprotocol/client')
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
    const client = new Client({ name: 'support', version: '1.0.0' })
    await client.connect(new StdioClientTransport({ ...server, env: envOf() }))
    const results = []
    for (const name of tools) results.push(await client.callTool({ name, arguments: { order_id: id } }))
    await client.close()
    return plain(results)
  },
  async LangChain(id) {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters')
    const client = new MultiServerMCPClient({ mcpServers: { shop: { transport: 'stdio', ...server, env: envOf() } } })
    const offered = await client.getTools()
    const results = []
    for (const name of tools) results.push(await offered.find((tool) => tool.name.endsWith(name)).invoke({ order_id: id }))
    await client.close()
    return plain(results)
  },
  async Mastra(id) {
    const { MCPClient } = await import('@mastra/mcp')
    const client = new MCPClient({ id: `shop ${Math.random()}`, servers: { shop: { ...server, env: envOf() } } })
    const offered = await client.listTools()
    const results = []
    for (const name of tools) results.push(await offered[`shop_${name}`].execute({ order_id: id }, {}))
    await client.disconnect()
    return plain(results)
  },
  async 'the AI SDK'(id) {
    const { createMCPClient } = await import('@ai-sdk/mcp')
    const { Experimental_StdioMCPTransport: Transport } = await import('@ai-sdk/mcp/mcp-stdio')
    const client = await createMCPClient({ transport: new Transport({ ...server, env: envOf() }) })
    const offered = await client.tools()
    const results = []
    for (const name of tools) results.push(await offered[name].execute({ order_id: id }, { toolCallId: name, messages: [] }))
    await client.close()
    return plain(results)
  },
  async 'OpenAI Agents'(id) {
    const { MCPServerStdio } = await import('@openai/agents')
    const shop = new MCPServerStdio({ name: 'shop', ...server, env: envOf() })
    await shop.connect()
    await shop.listTools()
    const results = []
    for (const name of tools) results.push(await shop.callTool(name, { order_id: id }))
    await shop.close()
    return plain(results)
  },
  async 'the Claude Agent SDK'(id) {
    const { createSdkMcpServer, query, tool } = await import('@anthropic-ai/claude-agent-sdk')
    const { z } = await import('zod')
    const text = (said) => ({ content: [{ type: 'text', text: said }] })
    const shop = createSdkMcpServer({
      name: 'shop',
      version: '1.0.0',
      tools: [
        tool('get_order', 'Looks up an order.', { order_id: z.string() }, async ({ order_id: order }) =>
          text(`${order} was paid at ${Date.now()}`),
        ),
        tool('refund_order', 'Refunds an order.', { order_id: z.string() }, async ({ order_id: order }) =>
          text(`${order} is refunded, receipt ${Math.random()}`),
        ),
      ],
    })
    const messages = []
    const options = {
      mcpServers: { shop },
      allowedTools: ['mcp__shop__get_order', 'mcp__shop__refund_order'],
      model: 'claude-sonnet-4-5',
      settingSources: [],
    }
    for await (const message of query({ prompt: `Refund ${id}.`, options }))
      if (message.type === 'user' || message.type === 'result')
        messages.push(message.type === 'user' ? message.message.content : message.result)
    return plain(messages)
  },
  async execa(id) {
    const { execa } = await import('execa')
    const { stdout: version } = await execa('git', ['--version'])
    const echoed = await execa(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], { input: id })
    const failed = await execa(process.execPath, ['-e', `console.error(${JSON.stringify(id)}); process.exit(3)`], { reject: false })
    const timed = await execa(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { timeout: 300, reject: false })
    const lines = []
    for await (const line of execa(process.execPath, ['-e', 'for (const line of [1, 2]) console.log(line, Math.random())']))
      lines.push(line)
    return [version, echoed.stdout, failed.exitCode, failed.stderr, timed.timedOut, timed.signal, lines]
  },
  async 'cross-spawn, and a process that is killed'(id) {
    const { default: spawn } = await import('cross-spawn')
    const child = spawn(process.execPath, [
      '-e',
      'process.stdout.write("who? "); process.stdin.on("data", (name) => process.stdout.write("hello " + name + " " + process.pid + "\\n"))',
    ])
    let said = ''
    const more = () => new Promise((resolve) => child.stdout.once('data', (piece) => resolve((said += piece))))
    await more()
    child.stdin.write(id)
    await more()
    await sleep(20)
    child.kill()
    const [code, signal] = await new Promise((resolve) => child.once('close', (...ended) => resolve(ended)))
    return [said, code, signal]
  },
}
