import OpenAI from 'openai'
import type { ChatCompletionMessageFunctionToolCall, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { MODEL } from './config.ts'
import { TOOLS } from './prompt.ts'

/** The model's answer. */
export interface Said {
  readonly text: string | null
  readonly calls: readonly ChatCompletionMessageFunctionToolCall[]
}

/** Creates the function that asks the model for its next turn. */
export function createAsk(base: string): (messages: readonly ChatCompletionMessageParam[]) => Promise<Said> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: `${base}/v1` })
  return async (messages) => {
    const request = { model: MODEL, temperature: 0, max_tokens: 2000, messages: [...messages], tools: TOOLS }
    const answer = await client.chat.completions.create(request)
    const message = answer.choices[0]?.message
    return { text: message?.content ?? null, calls: (message?.tool_calls ?? []).filter((call) => call.type === 'function') }
  }
}
