/** An MCP server that speaks over its standard input and output. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createOrderServer } from './mcp-server.ts'

await createOrderServer().connect(new StdioServerTransport())
