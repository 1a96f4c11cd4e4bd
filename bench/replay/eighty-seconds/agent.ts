import OpenAI from 'openai'

/** The agent's context: the address of its provider. */
export interface EightySecondsContext {
  readonly baseUrl: string
}

/** The agent's output. */
export interface EightySecondsOutput {
  readonly answer: string
  /** How often its interval fired. */
  readonly beats: number
  readonly winner: string
}

/** An address without a server: a replay needs none. */
export const NOWHERE: EightySecondsContext = { baseUrl: 'http://127.0.0.1:4010/v1' }

/**
 * An agent that waits for the four reasons that agents have: the SDK's retries, a stream, an interval, and a race between an answer and a
 * deadline.
 */
export async function waitEightySeconds(_input: unknown, { baseUrl }: EightySecondsContext): Promise<EightySecondsOutput> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: baseUrl, maxRetries: 3 })
  let beats = 0
  const interval = setInterval(() => (beats += 1), 5000)
  let deadline: ReturnType<typeof setTimeout> | undefined
  try {
    const stream = await client.chat.completions.create({ ...ask('Where is my order?'), stream: true })
    let answer = ''
    for await (const chunk of stream) answer += chunk.choices[0]?.delta.content ?? ''
    const second = client.chat.completions.create(ask('And when will it be here?'))
    const late = new Promise<string>((resolve) => (deadline = setTimeout(resolve, 30_000, 'deadline')))
    const winner = await Promise.race([second.then(({ choices }) => choices[0]?.message.content ?? ''), late])
    return { answer, beats, winner }
  } finally {
    clearInterval(interval)
    clearTimeout(deadline)
  }
}

function ask(content: string): OpenAI.ChatCompletionCreateParamsNonStreaming {
  return { model: 'gpt-4o', temperature: 0, messages: [{ role: 'user', content }] }
}
