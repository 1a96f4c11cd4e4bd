import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { holdFramework } from '../support/hold-framework.ts'
import { bothCalled, turns } from './orders.ts'
import { createOrderServer } from './programs/mcp-server.ts'

/** An MCP server over HTTP, with a session for each client. */
async function startMcpServer(): Promise<LocalServer> {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session_1' })
  await createOrderServer().connect(transport)
  return await listen(async (request, response) => await transport.handleRequest(request, response))
}

it('holds an agent that asks an MCP server that is a child process, and starts none', async () => {
  const { called, mutant, trace } = await holdFramework('mcp-stdio', turns)
  expect(trace.steps.map(({ boundary, name }) => `${boundary} ${name}`)).toEqual([
    'external mcp.connect',
    // Within the steps of the wrapper; a replay does not come to them.
    'external process node',
    'external mcp.listTools',
    'model openai.chat',
    'tool get_order',
    'tool mcp orders.get_order',
    'tool get_order',
    'tool mcp orders.get_order',
    'model openai.chat',
    'external mcp.getServerVersion',
    'external mcp.close',
  ])
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject({ cause: 'input', step: 5, name: 'get_order', parts: ['args'] })
})

it('holds an agent that asks an MCP server over HTTP', async () => {
  const { called, mutant } = await holdFramework('mcp-http', turns, startMcpServer)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject({ cause: 'input', name: 'get_order', parts: ['args'] })
})

it('holds an agent of OpenAI Agents that is given an MCP server', async () => {
  const { called, mutant } = await holdFramework('openai-agents-mcp', turns)
  expect(called).toEqual(bothCalled)
  expect(mutant).toMatchObject({ cause: 'input', name: 'get_order', parts: ['args'] })
})
