import OpenAI from 'openai'
import type { ChatCompletionChunk, ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { type Conversation, converse, type ModelTurn, type SupportInput, type SupportOutput } from './loop.ts'
import { SYSTEM_PROMPT } from './prompt.ts'
import type { ToolCall } from './run-tool.ts'
import { TOOL_DEFINITIONS } from './tool-definitions.ts'

const client = new OpenAI({
  apiKey: process.env['OPENAI_API_KEY'] ?? 'sk-local',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'http://127.0.0.1:4010/v1',
})

const TOOLS = TOOL_DEFINITIONS.map(({ name, description, parameters }): ChatCompletionFunctionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...parameters } },
}))

/** Answers a support ticket with an OpenAI model. */
export async function supportAgent(input: SupportInput): Promise<SupportOutput> {
  return converse(openConversation(input.ticket))
}

function openConversation(ticket: string): Conversation {
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: SYSTEM_PROMPT },
    { role: 'user', content: ticket },
  ]
  return {
    async next() {
      const stream = await client.chat.completions.create({
        model: 'gpt-4.1-mini',
        temperature: 0,
        messages,
        tools: TOOLS,
        stream: true,
        stream_options: { include_usage: true },
      })
      const turn = await readTurn(stream)
      messages.push(toMessage(turn))
      return turn
    },
    answer(results) {
      messages.push(...results.map(({ id, content }): ChatCompletionMessageParam => ({ role: 'tool', tool_call_id: id, content })))
    },
  }
}

/** Puts a streamed answer together: text in pieces, and each tool call in pieces under its index. */
async function readTurn(stream: AsyncIterable<ChatCompletionChunk>): Promise<ModelTurn> {
  let text = ''
  const toolCalls: ToolCall[] = []
  for await (const chunk of stream) {
    const delta = chunk.choices[0]?.delta
    text += delta?.content ?? ''
    for (const part of delta?.tool_calls ?? []) {
      const known = toolCalls[part.index]
      toolCalls[part.index] = {
        id: known?.id ?? part.id ?? '',
        name: known?.name ?? part.function?.name ?? '',
        argumentsText: (known?.argumentsText ?? '') + (part.function?.arguments ?? ''),
      }
    }
  }
  return { text, toolCalls }
}

function toMessage({ text, toolCalls }: ModelTurn): ChatCompletionMessageParam {
  if (toolCalls.length === 0) return { role: 'assistant', content: text }
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: toolCalls.map(({ id, name, argumentsText }) => ({ id, type: 'function', function: { name, arguments: argumentsText } })),
  }
}
