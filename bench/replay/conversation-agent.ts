import OpenAI from 'openai'

/** The agent's input. */
export interface ConversationInput {
  /** The number of model calls. */
  readonly steps: number
}

/** The length of the text added at each step: about that of a tool's result. */
const PARAGRAPH = 2000

/**
 * An agent that resends a growing history, as agents do. Each step adds a text of about two thousand characters that is unique to the step,
 * and a streamed answer.
 *
 * @param fetch Answers in place of the global one. Default: the global one.
 */
export async function holdConversation({ steps }: ConversationInput, baseUrl: string, fetch?: typeof globalThis.fetch): Promise<number> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: baseUrl, maxRetries: 0, ...(fetch && { fetch }) })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: writeParagraph(0) }]
  for (let step = 1; step <= steps; step += 1) {
    messages.push({ role: 'user', content: writeParagraph(step) })
    const stream = await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true })
    let answer = ''
    for await (const chunk of stream) answer += chunk.choices[0]?.delta.content ?? ''
    messages.push({ role: 'assistant', content: answer })
  }
  return messages.length
}

/** Returns the model's answer at a step. */
export function writeAnswer(step: number): string {
  return writeParagraph(-step).slice(0, 300)
}

/** Returns words that look random and are the same every time: a linear congruential generator (with the constants of Numerical Recipes) picks them. */
function writeParagraph(seed: number): string {
  const words = [
    'order',
    'parcel',
    'refund',
    'address',
    'deliver',
    'tomorrow',
    'warehouse',
    'customer',
    'item',
    'price',
    'lamp',
    'the',
    'and',
    'of',
    'was',
    'is',
  ]
  let state = (seed * 2654435761) >>> 0
  let text = `${seed}:`
  while (text.length < PARAGRAPH) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += ` ${words[state >>> 28] ?? ''}`
  }
  return text
}
