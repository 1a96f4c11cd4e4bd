import { checkpoint } from 'goldenrun'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { prompt } from './prompt.ts'
import { definitions, runTool } from './tools.ts'

const openai = new OpenAI()

export interface Ticket {
  readonly ticket: string
}

export async function supportAgent({ ticket }: Ticket): Promise<{ reply: string }> {
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: prompt },
    { role: 'user', content: ticket },
  ]
  for (;;) {
    const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1-mini', messages, tools: definitions })
    const message = choices[0]?.message
    if (message === undefined) throw new Error('The model said nothing.')
    messages.push(message)
    const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function')
    if (calls.length === 0) return { reply: message.content ?? '' }
    for (const { id, function: call } of calls) {
      const result = await runTool(call.name, JSON.parse(call.arguments))
      checkpoint('tool-called', { name: call.name, result })
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) })
    }
  }
}
