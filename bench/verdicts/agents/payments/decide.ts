import OpenAI from 'openai'
import { MODEL_LIMIT_MS } from './config.ts'

/** Asks a model whether a refund is due. */
export async function decide(base: string, order: unknown, reason: string): Promise<boolean> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: `${base}/v1`, maxRetries: 1, timeout: MODEL_LIMIT_MS })
  const answer = await client.chat.completions.create({
    model: 'gpt-4o-mini',
    temperature: 0,
    messages: [
      { role: 'system', content: 'You decide on refunds. Say yes or no.' },
      { role: 'user', content: `${JSON.stringify(order)}\n${reason}` },
    ],
  })
  return answer.choices[0]?.message.content?.startsWith('Yes') ?? false
}
