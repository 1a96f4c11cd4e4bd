import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'

/** What a slow provider said, and when. */
export interface SlowAnswer {
  readonly text: string
  readonly chunks: number
  readonly ticks: readonly string[]
  readonly winner: string
  readonly seconds: number
}

/** Asks a provider that is overloaded three times and then streams, with an interval that ticks beside it and a race behind it. */
export async function slowAgent({ baseURL }: { readonly baseURL: string }): Promise<SlowAnswer> {
  const client = new OpenAI({ apiKey: 'sk-test', baseURL, maxRetries: 3 })
  const started = Date.now()
  const ticks: string[] = []
  let text = ''
  let chunks = 0
  const interval = setInterval(() => ticks.push(`${text.length} ${Math.random().toString(36).slice(2, 6)}`), 7000)
  const stream = await client.chat.completions.create({
    model: 'gpt-4.1',
    stream: true,
    messages: [{ role: 'user', content: `Tell me about ${crypto.randomUUID()}` }],
  })
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    chunks += 1
  }
  const winner = await Promise.race([sleep(9000, 'slow'), sleep(400, 'fast')])
  clearInterval(interval)
  return { text, chunks, ticks, winner, seconds: Math.floor((Date.now() - started) / 1000) }
}
