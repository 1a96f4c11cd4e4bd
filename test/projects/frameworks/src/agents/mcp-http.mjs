import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import OpenAI from 'openai'

const openai = new OpenAI()

export async function agent({ question }) {
  const client = new Client({ name: 'support', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(process.env.MCP_URL)))
  const { tools: listed } = await client.listTools()
  const tools = listed.map(({ name, inputSchema: parameters }) => ({ type: 'function', function: { name, parameters } }))
  const messages = [
    { role: 'system', content: 'You answer about orders.' },
    { role: 'user', content: question },
  ]
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1-mini', messages, tools })
    const [{ message }] = choices
    if (message.tool_calls === undefined) {
      await client.close()
      return message.content
    }
    messages.push(message)
    for (const { id, function: asked } of message.tool_calls) {
      const { content } = await client.callTool({ name: asked.name, arguments: JSON.parse(asked.arguments) })
      messages.push({ role: 'tool', tool_call_id: id, content: content[0].text })
    }
  }
}
