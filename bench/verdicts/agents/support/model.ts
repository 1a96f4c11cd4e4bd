import OpenAI from 'openai'
import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import { MAX_TOKENS, MODEL, TEMPERATURE } from './config.ts'
import type { Definition } from './definitions.ts'

/** The model's answer, in the form that is resent with the history. */
export interface Said {
  readonly role: 'assistant'
  readonly content: string | null
  readonly tool_calls?: ChatCompletionMessageFunctionToolCall[]
}

/** The connection to a model. */
export interface Connection {
  readonly baseURL: string
  readonly definitions: readonly Definition[]
  readonly streams: boolean
}

/** Creates the function that asks the model for its next turn. */
export function connect({ baseURL, definitions, streams }: Connection): (messages: ChatCompletionMessageParam[]) => Promise<Said> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL })
  const tools = definitions.map((definition): ChatCompletionFunctionTool => ({
    type: 'function',
    function: { name: definition.name, description: definition.description, parameters: { ...definition.parameters } },
  }))
  return async (messages) => {
    const request = { model: MODEL, temperature: TEMPERATURE, max_tokens: MAX_TOKENS, messages, tools }
    if (streams) return parse(await client.chat.completions.stream(request).finalMessage())
    const completion = await client.chat.completions.create(request)
    return parse(completion.choices[0]?.message)
  }
}

function parse(message: ChatCompletionMessage | undefined): Said {
  if (message === undefined) throw new Error('The model gave no answer.')
  const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function')
  const toolCalls = calls.map(({ id, function: { name, arguments: printed } }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: printed },
  }))
  return { role: 'assistant', content: message.content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) }
}
