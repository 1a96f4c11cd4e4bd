import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { fileURLToPath } from 'node:url'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import type { FrameworkAgent } from './framework-agent.ts'
import { mcpLoop } from './mcp-loop.ts'

const server = fileURLToPath(new URL('mcp-stdio-server.ts', import.meta.url))

/** A loop around an MCP server that is a child process, which each run starts for itself. */
export const agent: FrameworkAgent = async (ask, habits) => {
  const client = wrapTools(new Client({ name: 'support', version: '1.0.0' }))
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }))
  try {
    return await mcpLoop(client, ask, habits)
  } finally {
    await client.close()
  }
}
