import OpenAI from 'openai'
import type {
  ChatCompletionFunctionTool,
  ChatCompletionMessage,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions'
import type { TauTool } from './tau-tools.ts'

/** What the model said, as it is resent with the history. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string | null
  readonly tool_calls?: ChatCompletionMessageFunctionToolCall[]
}

/** How a model is asked. */
export interface TauModelOptions {
  readonly baseUrl: string
  readonly tools: readonly TauTool[]
  /** Descriptions that stand in for the tools' own, by tool name. */
  readonly toolDescription: Readonly<Record<string, string>>
  readonly streaming: boolean
}

/** Makes a function that asks the model to go on with a conversation, through the `openai` SDK. */
export function connectModel(options: TauModelOptions): (messages: ChatCompletionMessageParam[]) => Promise<AssistantMessage> {
  const client = new OpenAI({ apiKey: process.env['OPENAI_API_KEY'] ?? 'sk-local', baseURL: options.baseUrl })
  const tools = options.tools.map(({ name, description, parameters }): ChatCompletionFunctionTool => ({
    type: 'function',
    function: { name, description: options.toolDescription[name] ?? description, parameters: { ...parameters } },
  }))
  return async (messages) => {
    const request = { model: 'gpt-4o', temperature: 0, messages, tools }
    if (options.streaming) {
      const stream = client.chat.completions.stream({ ...request, stream_options: { include_usage: true } })
      return toAssistantMessage(await stream.finalMessage())
    }
    const completion = await client.chat.completions.create(request)
    const [choice] = completion.choices
    if (choice === undefined) throw new Error('The model gave no answer.')
    return toAssistantMessage(choice.message)
  }
}

/** Leaves out what the SDK and the provider add to a message: refusals, annotations, parsed arguments. */
function toAssistantMessage({ content, tool_calls: calls = [] }: ChatCompletionMessage): AssistantMessage {
  const toolCalls = calls
    .filter((call) => call.type === 'function')
    .map(({ id, function: { name, arguments: printed } }) => ({ id, type: 'function' as const, function: { name, arguments: printed } }))
  return { role: 'assistant', content, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) }
}
