import OpenAI from 'openai'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterEach, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { goldenHandlers } from '../../src/msw.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

const servers: { close(): void }[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A recorded run, the address that its provider had, and what the agent got. */
interface Recorded {
  readonly trace: Trace
  readonly baseURL: string
  readonly texts: readonly string[]
}

async function ask(baseURL: string, question: string): Promise<string> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL, maxRetries: 0 })
  const answer = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages: [{ role: 'user', content: question }] })
  return answer.choices[0]?.message.content ?? ''
}

async function askStreaming(baseURL: string, question: string): Promise<string[]> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL, maxRetries: 0 })
  const pieces: string[] = []
  const messages = [{ role: 'user', content: question } as const]
  for await (const chunk of await client.chat.completions.create({ model: 'gpt-4.1-mini', messages, stream: true })) {
    const piece = chunk.choices[0]?.delta.content
    if (piece) pieces.push(piece)
  }
  return pieces
}

async function record(): Promise<Recorded> {
  const provider = await startProvider({ script: [{ text: 'It was shipped on Monday.', chunks: 4 }] })
  const baseURL = provider.openaiBaseUrl
  const { trace, output } = await recordRun(async () => [
    await ask(baseURL, 'Where is ord_1?'),
    ...(await askStreaming(baseURL, 'And now?')),
  ])
  await provider.close()
  // The connection that was kept alive is gone too: MSW answers on new ones only.
  await expect(fetch(baseURL)).rejects.toThrow('fetch failed')
  return { trace, baseURL, texts: output }
}

function serve(...handlers: Parameters<typeof setupServer>): void {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledFrame: 'error' })
  servers.push(server)
}

it("serves a trace's model calls, whole and streamed, to a server of the user's own", async () => {
  const { trace, baseURL, texts } = await record()
  serve(...goldenHandlers(trace))
  const [whole, ...pieces] = texts
  expect(await ask(baseURL, 'Where is ord_1?')).toBe(whole)
  expect(await askStreaming(baseURL, 'And now?')).toEqual(pieces)
  expect(pieces).toHaveLength(4)
})

it('leaves a request that the trace does not have to the handlers behind', async () => {
  const { trace, baseURL } = await record()
  serve(
    ...goldenHandlers(trace),
    http.get('http://orders.test/ord_1', () => HttpResponse.json({ status: 'lost' })),
  )
  expect(await (await fetch('http://orders.test/ord_1')).json()).toEqual({ status: 'lost' })
  await expect(ask(baseURL, 'Where is ord_2?')).rejects.toThrow('Connection error')
})

it('serves each recorded answer once, and all of them again after a reset', async () => {
  const { trace, baseURL } = await record()
  const handlers = goldenHandlers(trace)
  const server = setupServer(...handlers)
  server.listen({ onUnhandledFrame: 'error' })
  servers.push(server)
  expect(await ask(baseURL, 'Where is ord_1?')).toBe('It was shipped on Monday.')
  await expect(ask(baseURL, 'Where is ord_1?')).rejects.toThrow('Connection error')
  server.resetHandlers()
  for (const handler of handlers) handler.reset()
  expect(await ask(baseURL, 'Where is ord_1?')).toBe('It was shipped on Monday.')
})
