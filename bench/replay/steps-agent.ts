import OpenAI from 'openai'

/** The agent's input. */
export interface StepsInput {
  /** The number of model calls. */
  readonly steps: number
  readonly streaming: boolean
  /** Sent to the model with each call, in addition to the constant prompt. Default: nothing. */
  readonly policy?: string
}

/** An agent that makes model calls one after the other, each with a small body of constant size, and returns all answers. */
export type StepsAgent = (input: StepsInput) => Promise<string[]>

/** How the agent's client is built. */
export interface ClientOptions {
  /** Default: no server is there. */
  readonly baseUrl?: string
  /** Answers instead of the global `fetch`. Default: the global one. */
  readonly fetch?: typeof globalThis.fetch
  /** Built now, like a client at the top of a module, and not at the start of each run. It then keeps the current `fetch`. Default: false. */
  readonly early?: boolean
}

/** An address without a server: answers come from memory or from a trace. */
const NOWHERE = 'http://127.0.0.1:4010/v1'

/** Creates the agent. It calls the model through the `openai` SDK, as agents do. */
export function createStepsAgent({ baseUrl = NOWHERE, fetch, early = false }: ClientOptions = {}): StepsAgent {
  const createClient = (): OpenAI => new OpenAI({ apiKey: 'sk-local', baseURL: baseUrl, maxRetries: 0, ...(fetch && { fetch }) })
  const built = early ? createClient() : undefined
  return async ({ steps, streaming, policy = '' }) => {
    const client = built ?? createClient()
    const answers: string[] = []
    for (let step = 1; step <= steps; step += 1) {
      const request = toRequest(step, policy)
      answers.push(await (streaming ? askStreaming(client, request) : ask(client, request)))
    }
    return answers
  }
}

async function ask(client: OpenAI, request: OpenAI.ChatCompletionCreateParamsNonStreaming): Promise<string> {
  const completion = await client.chat.completions.create(request)
  return completion.choices[0]?.message.content ?? ''
}

async function askStreaming(client: OpenAI, request: OpenAI.ChatCompletionCreateParamsNonStreaming): Promise<string> {
  const stream = await client.chat.completions.create({ ...request, stream: true })
  let answer = ''
  for await (const chunk of stream) answer += chunk.choices[0]?.delta.content ?? ''
  return answer
}

function toRequest(step: number, policy: string): OpenAI.ChatCompletionCreateParamsNonStreaming {
  return {
    model: 'gpt-4o',
    temperature: 0,
    messages: [
      { role: 'system', content: `You are a shop assistant. Answer in one sentence.${policy}` },
      { role: 'user', content: `Where is order ${100_000 + step}?` },
    ],
  }
}
