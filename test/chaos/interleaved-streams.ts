import Anthropic from '@anthropic-ai/sdk'
import { createOpenAI } from '@ai-sdk/openai'
import { streamText } from 'ai'
import OpenAI from 'openai'
import { startProvider } from '../../examples/world/provider.ts'
import { createRandom } from '../support/random.ts'
import { disposeAfter } from '../support/dispose-after.ts'
import { recordRun } from '../support/record-run.ts'
import type { Program } from './program.ts'

interface Input {
  readonly openai: string
  readonly anthropic: string
}

/** Reads three streams at once, each through an SDK of its own, and writes down the pieces in the order in which they came. */
async function agent({ openai, anthropic }: Input): Promise<string[]> {
  const messages = [{ role: 'user' as const, content: 'Tell me a story.' }]
  const streams = [
    ['openai', readOpenAI(openai, messages)],
    ['anthropic', readAnthropic(anthropic, messages)],
    ['ai', streamText({ model: createOpenAI({ apiKey: 'sk-test', baseURL: openai }).chat('gpt-5'), messages }).textStream],
  ] as const
  const seen: string[] = []
  const read = async (name: string, stream: AsyncIterable<string>): Promise<void> => {
    for await (const piece of stream) seen.push(`${name} ${piece}${Math.random() < 0.5 ? '' : '!'}`)
    seen.push(`${name} is through`)
  }
  await Promise.all(streams.map(([name, stream]) => read(name, stream)))
  return seen
}

type Messages = readonly { readonly role: 'user'; readonly content: string }[]

async function* readOpenAI(baseURL: string, messages: Messages): AsyncGenerator<string> {
  const client = new OpenAI({ apiKey: 'sk-test', baseURL })
  for await (const { choices } of await client.chat.completions.create({ model: 'gpt-4.1', messages: [...messages], stream: true })) {
    yield choices[0]?.delta.content ?? ''
  }
}

async function* readAnthropic(baseURL: string, messages: Messages): AsyncGenerator<string> {
  const client = new Anthropic({ apiKey: 'sk-test', baseURL })
  const stream = await client.messages.create({ model: 'claude-sonnet-5', max_tokens: 100, messages: [...messages], stream: true })
  for await (const event of stream) {
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text
  }
}

/** @param seed What the pauses of the provider are drawn by. */
export function createInterleavedStreams(seed: string): Program {
  return {
    about: 'three interleaved streams, of three SDKs',
    agent,
    async record() {
      const random = createRandom(seed)
      const text = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ')
      const provider = await startProvider({
        script: () => ({ text, chunks: 20, delayMs: random.whole(0, 5), chunkDelayMs: random.whole(0, 3) }),
      })
      return await disposeAfter(provider, async () => {
        const input = { openai: provider.openaiBaseUrl, anthropic: provider.anthropicBaseUrl }
        return (await recordRun(agent, { input })).trace
      })
    },
  }
}
