import { randomUUID } from 'node:crypto'
import { checkpoint, tool } from 'goldenrun'
import OpenAI from 'openai'

const lookUp = tool('look_up', { effect: 'read' }, async ({ id }: { id: string }) => ({ id, status: 'packed' }))

/** An address without a server: a replay needs none. */
const NOWHERE = 'http://127.0.0.1:4010/v1'

/** Creates an agent that produces every kind of row once: a JSON answer, a stream, a tool, timers, a checkpoint, draws. */
export function createMixedAgent(baseUrl: string = NOWHERE): () => Promise<string> {
  return async () => {
    const client = new OpenAI({ apiKey: 'sk-local', baseURL: baseUrl, maxRetries: 0 })
    const question = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: `Where is my order? ${randomUUID()}` }] }
    const completion = await client.chat.completions.create(question)
    const order = await lookUp({ id: 'ord_1' })
    checkpoint('order-found', { order, at: Date.now(), chance: Math.random() })
    await new Promise((resolve) => setTimeout(resolve, 5))
    let answer = completion.choices[0]?.message.content ?? ''
    for await (const chunk of await client.chat.completions.create({ ...question, stream: true })) {
      answer += chunk.choices[0]?.delta.content ?? ''
    }
    return answer
  }
}
