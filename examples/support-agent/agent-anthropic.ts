import Anthropic from '@anthropic-ai/sdk'
import type { MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages'
import { type Conversation, converse, type SupportInput, type SupportOutput } from './loop.ts'
import { SYSTEM_PROMPT } from './prompt.ts'
import { TOOL_DEFINITIONS } from './tool-definitions.ts'

const client = new Anthropic({
  apiKey: process.env['ANTHROPIC_API_KEY'] ?? 'sk-ant-local',
  baseURL: process.env['ANTHROPIC_BASE_URL'] ?? 'http://127.0.0.1:4010',
})

const TOOLS = TOOL_DEFINITIONS.map(({ name, description, parameters }): Tool => ({ name, description, input_schema: parameters }))

/** Answers a support ticket with an Anthropic model. */
export async function supportAgent(input: SupportInput): Promise<SupportOutput> {
  return converse(openConversation(input.ticket))
}

function openConversation(ticket: string): Conversation {
  const messages: MessageParam[] = [{ role: 'user', content: ticket }]
  return {
    async next() {
      const message = await client.messages
        .stream({ model: 'claude-sonnet-5', max_tokens: 1024, temperature: 0, system: SYSTEM_PROMPT, messages, tools: TOOLS })
        .finalMessage()
      messages.push({ role: 'assistant', content: message.content })
      return {
        text: message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
        toolCalls: message.content
          .filter((block) => block.type === 'tool_use')
          .map(({ id, name, input }) => ({ id, name, argumentsText: JSON.stringify(input) })),
      }
    },
    answer(results) {
      messages.push({
        role: 'user',
        content: results.map(({ id, content }) => ({ type: 'tool_result', tool_use_id: id, content })),
      })
    },
  }
}
