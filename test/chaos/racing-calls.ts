import OpenAI from 'openai'
import { startProvider } from '../../examples/world/provider.ts'
import { tool } from '../../src/run/tool.ts'
import { createRandom } from '../support/random.ts'
import { disposeAfter } from '../support/dispose-after.ts'
import { recordRun } from '../support/record-run.ts'
import type { Program } from './program.ts'

const CALLS = 12

interface Input {
  readonly baseURL: string
}

const settle = tool('settle', {}, async (number: number) => number)

/** Asks twelve questions at once, a third of them streamed, races them in every way, and says in which order it saw what. */
async function agent({ baseURL }: Input): Promise<unknown> {
  const client = new OpenAI({ apiKey: 'sk-test', baseURL, maxRetries: 0 })
  const seen: string[] = []
  const ask = async (number: number): Promise<string> => {
    const question = { model: 'gpt-4.1', messages: [{ role: 'user' as const, content: `question ${number}` }] }
    let text = ''
    if (number % 3 === 0) {
      for await (const { choices } of await client.chat.completions.create({ ...question, stream: true })) {
        const piece = choices[0]?.delta.content ?? ''
        seen.push(`piece of ${number}: ${piece}`)
        text += piece
      }
    } else {
      text = (await client.chat.completions.create(question)).choices[0]?.message.content ?? ''
    }
    seen.push(`end of ${await settle(number)} at ${Date.now()}, ${Math.random()}`)
    return text
  }
  const calls = Array.from({ length: CALLS }, (_, index) => ask(index + 1))
  const first = await Promise.race(calls)
  seen.push('raced')
  const any = await Promise.any(calls.slice(4, 8))
  seen.push('any')
  return { first, any, all: await Promise.all(calls), seen }
}

/** @param seed What the delays of the provider are drawn by. */
export function createRacingCalls(seed: string): Program {
  return {
    about: `${CALLS} racing calls, a third of them streams`,
    agent,
    async record() {
      const random = createRandom(seed)
      const delays = random.shuffle(Array.from({ length: CALLS }, (_, index) => index * 2))
      const provider = await startProvider({
        script: ({ messages }) => {
          const number = Number(/\d+/.exec(JSON.stringify(messages))?.[0])
          return {
            text: `answer ${number} in several words`,
            chunks: 6,
            delayMs: delays[number - 1] ?? 0,
            chunkDelayMs: random.whole(0, 3),
          }
        },
      })
      return await disposeAfter(provider, async () => {
        return (await recordRun(agent, { input: { baseURL: provider.openaiBaseUrl } })).trace
      })
    },
  }
}
