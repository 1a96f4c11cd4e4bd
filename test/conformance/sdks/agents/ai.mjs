import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import { answer as answerAnthropic } from './providers/anthropic.mjs'
import { answer as answerOpenai } from './providers/openai.mjs'

export const keys = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY']

export const answer = (request) => (request.url.endsWith('/messages') ? answerAnthropic(request) : answerOpenai(request))

/** A turn with a tool call with a model of each provider. */
export async function agent({ base, change }) {
  const inputSchema = jsonSchema({ type: 'object', properties: { id: { type: 'string' } } })
  const tools = { get_order: tool({ inputSchema }) }
  const prompt = 'Where is ord_1?'
  const openai = createOpenAI({ baseURL: `${base}/v1` }).chat('gpt-5-mini')
  const { toolCalls } = await generateText({ model: openai, prompt, tools })
  const messages = [
    { role: 'user', content: prompt },
    {
      role: 'assistant',
      content: toolCalls.map(({ toolCallId, toolName, input }) => ({ type: 'tool-call', toolCallId, toolName, input })),
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'get_order', output: { type: 'text', value: 'packed' } }],
    },
  ]
  const said = await streamText({ model: openai, messages, tools }).text
  const { ANTHROPIC_API_KEY: own, OPENAI_API_KEY: other } = process.env
  const apiKey = change === 'the key of another provider' ? other : own
  const anthropic = createAnthropic({ baseURL: `${base}/v1`, apiKey })('claude-small')
  const { text } = await generateText({ model: anthropic, messages, tools })
  return [said, text]
}
