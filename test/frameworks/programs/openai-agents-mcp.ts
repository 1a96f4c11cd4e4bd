import { Agent, MCPServerStdio, OpenAIProvider, Runner } from '@openai/agents'
import { fileURLToPath } from 'node:url'
import { wrapTools } from '../../../src/run/wrap-tools.ts'
import { asAsked, type FrameworkAgent } from './framework-agent.ts'

const program = fileURLToPath(new URL('mcp-stdio-server.ts', import.meta.url))

/** An agent of OpenAI Agents whose tools are those of an MCP server. */
export const agent: FrameworkAgent = async ({ question, model }, { spell = asAsked } = {}) => {
  const { orders } = wrapTools({ orders: new MCPServerStdio({ command: process.execPath, args: [program] }) })
  const { callTool } = orders
  orders.callTool = async (name, args, ...rest) =>
    await Reflect.apply(callTool, orders, [name, { ...args, id: spell(String(args?.['id'])) }, ...rest])
  await orders.connect()
  try {
    const support = new Agent({ name: 'support', instructions: 'You know about orders.', mcpServers: [orders] })
    const modelProvider = new OpenAIProvider({ apiKey: 'sk-local', baseURL: model, useResponses: false })
    return (await new Runner({ modelProvider, model: 'gpt-4.1-mini' }).run(support, question)).finalOutput
  } finally {
    await orders.close()
  }
}
