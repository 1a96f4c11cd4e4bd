import Anthropic from '@anthropic-ai/sdk'
import { checkpoint } from 'goldenrun'
import { prompt } from './prompt.ts'
import { definitions, type OrderId, runTool } from './tools.ts'

const anthropic = new Anthropic()

export interface Ticket {
  readonly ticket: string
}

export async function supportAgent({ ticket }: Ticket): Promise<{ reply: string }> {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: ticket }]
  for (;;) {
    const stream = anthropic.messages.stream({ model: 'claude-sonnet-5', max_tokens: 1000, system: prompt, messages, tools: definitions })
    const message = await stream.finalMessage()
    messages.push({ role: 'assistant', content: message.content })
    const calls = message.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return { reply: message.content.map((block) => (block.type === 'text' ? block.text : '')).join('') }
    const results = calls.map(async ({ id, name, input }): Promise<Anthropic.ToolResultBlockParam> => {
      const result = await runTool(name, input as OrderId)
      checkpoint('tool-called', { name, result })
      return { type: 'tool_result', tool_use_id: id, content: JSON.stringify(result) }
    })
    messages.push({ role: 'user', content: await Promise.all(results) })
  }
}
