import OpenAI from 'openai'

/** What the agent is given. */
export interface StepsInput {
  /** How many model calls it makes. */
  readonly steps: number
  readonly streaming: boolean
  /** Said to the model with each call, beside what it always is told. Default: nothing. */
  readonly policy?: string
}

/** An agent that makes model calls one after the other, each with a small body of constant size, and returns all that was answered. */
export type StepsAgent = (input: StepsInput) => Promise<string[]>

/** How the agent's client is built. */
export interface ClientOptions {
  /** Default: no server is there. */
  readonly baseUrl?: string
  /** Answers in place of the global `fetch`. Default: the global one. */
  readonly fetch?: typeof globalThis.fetch
  /** Built now, as a client at the top of a module is, and not at the start of each run. It then holds the `fetch` of now. Default: false. */
  readonly early?: boolean
}

/** Where no server is: whoever measures answers in memory, or from a trace. */
const NOWHERE = 'http://127.0.0.1:4010/v1'

/** Makes the agent; it calls the model through the `openai` SDK, as agents do. */
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
