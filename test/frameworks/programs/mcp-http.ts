import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import type { FrameworkAgent } from './framework-agent.ts'
import { mcpLoop } from './mcp-loop.ts'

/** A loop around an MCP server over HTTP, whose client is wrapped. */
export const agent: FrameworkAgent = async (ask, habits) => {
  const client = wrapTools(new Client({ name: 'support', version: '1.0.0' }))
  await client.connect(new StreamableHTTPClientTransport(new URL(ask.server ?? '')))
  try {
    return await mcpLoop(client, ask, habits)
  } finally {
    await client.close()
  }
}
