import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { type Ask, asAsked, type Habits } from './framework-agent.ts'

/** The usual loop around a client that is connected: the model is given its tools, and calls them. */
export async function mcpLoop(client: Client, { question, model }: Ask, { spell = asAsked }: Habits = {}): Promise<unknown> {
  const openai = new OpenAI({ apiKey: 'sk-local', baseURL: model })
  const { tools: listed } = await client.listTools()
  const tools = listed.map(({ name, description = '', inputSchema: parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters },
  }))
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1-mini', messages, tools })
    const message = choices[0]?.message
    if (message?.tool_calls === undefined) return { text: message?.content, server: client.getServerVersion()?.name }
    messages.push(message)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const { id } = JSON.parse(call.function.arguments) as { id: string }
      const { structuredContent } = await client.callTool({ name: call.function.name, arguments: { id: spell(id) } })
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(structuredContent) })
    }
  }
}
