import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

let server: Server
let url: URL

beforeAll(async () => {
  const sessions = new Map<string, SSEServerTransport>()
  server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (asked.pathname !== '/sse') return void sessions.get(asked.searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response)
    const shop = new McpServer({ name: 'shop', version: '1.0.0' })
    shop.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }))
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    void shop.connect(transport)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function agent(b: number): Promise<unknown> {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(new SSEClientTransport(url))
  const { tools } = await client.listTools()
  const sums = await Promise.all([1, 2].map(async (a) => (await client.callTool({ name: 'add', arguments: { a, b } })).content))
  await client.close()
  return { tools: tools.map(({ name }) => name), sums }
}

it('replays a session with an MCP server over HTTP with SSE', async () => {
  const { trace, output } = await recordRun(() => agent(2))
  expect(output).toEqual({ tools: ['add'], sums: [[{ type: 'text', text: '3' }], [{ type: 'text', text: '4' }]] })
  await expectClean(trace, () => agent(2))
  const { divergences } = await replay(trace, () => agent(3))
  expect(divergences[0]).toMatchObject({ cause: 'input' })
  expect(divergences[0]?.differences?.map(({ path }) => path)).toEqual(['body.params.arguments.b'])
})
