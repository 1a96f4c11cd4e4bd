import OpenAI from 'openai'
import { afterAll, expect } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { replay } from '../../src/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'

let turns = 0

export const provider: Awaited<ReturnType<typeof startProvider>> = await startProvider({
  script: ({ messages }) => ({ text: `${(turns += 1)}: ${messages.at(-1)?.text}` }),
})

export const openai: OpenAI = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 2 })

export async function ask(content: string, client: OpenAI = openai): Promise<string> {
  const { choices } = await client.chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content }] })
  return choices[0]?.message.content ?? ''
}

export async function expectClean(trace: Trace, agent: (input: never, context: unknown) => unknown): Promise<void> {
  const again = await replay(trace, agent)
  expect(again.divergences).toEqual([])
  expect(again.hash).toBe(trace.hash)
}

/** Starts what the tests share, and ends it after them. */
export function setUpLiveForks(): void {
  afterAll(() => provider.close())
}
