import OpenAI from 'openai'
import { MODEL } from './config.ts'

/** Asks a model: as a whole, or as a stream of words. */
export interface Model {
  ask(system: string, text: string): Promise<string>
  stream(system: string, text: string): Promise<string>
}

export function createModel(base: string): Model {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL: `${base}/v1`, maxRetries: 0 })
  const toMessages = (system: string, text: string): { role: 'system' | 'user'; content: string }[] => [
    { role: 'system', content: system },
    { role: 'user', content: text },
  ]
  return {
    async ask(system, text) {
      const answer = await client.chat.completions.create({ model: MODEL, temperature: 0, messages: toMessages(system, text) })
      return answer.choices[0]?.message.content ?? ''
    },
    async stream(system, text) {
      const pieces: string[] = []
      const stream = await client.chat.completions.create({
        model: MODEL,
        temperature: 0,
        messages: toMessages(system, text),
        stream: true,
      })
      for await (const chunk of stream) {
        pieces.push(chunk.choices[0]?.delta.content ?? '')
      }
      return pieces.join('')
    },
  }
}
