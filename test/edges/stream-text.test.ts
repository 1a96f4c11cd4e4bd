import http from 'node:http'
import { createOpenAI } from '@ai-sdk/openai'
import { streamText } from 'ai'
import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const text = 'Your order has been packed, and it leaves the warehouse this evening.'
const provider = await startProvider({ script: () => ({ text, chunks: 12, chunkDelayMs: 1 }) })
afterAll(() => provider.close())
const keep = tool('keep', { effect: 'write' }, async (whole: string) => whole.length)

type Result = ReturnType<typeof streamText>

/** An agent as the AI SDK's guide writes it: what it returns is read by the route that called it. */
function answer(prompt: string): Result {
  const { chat } = createOpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl })
  return streamText({
    model: chat('gpt-4.1'),
    prompt,
    onError: () => undefined,
    onFinish: async ({ text: whole }) => void (await keep(whole)),
  })
}

const uses: Readonly<Record<string, (result: Result) => Promise<unknown>>> = {
  textStream: async (result) => {
    let read = ''
    for await (const piece of result.textStream) read += piece
    return read
  },
  'textStream, which the getter makes anew for whoever asks whether there is one': async (result) => {
    let read = ''
    if (result.textStream) for await (const piece of result.textStream) read += piece
    return read
  },
  'fullStream, then the usage': async (result) => {
    let read = ''
    for await (const part of result.fullStream) if (part.type === 'text-delta') read += part.text
    expect((await result.usage).outputTokens).toBeGreaterThan(0)
    return read
  },
  text: async (result) => {
    void result.consumeStream()
    return await result.text
  },
  toTextStreamResponse: (result) => result.toTextStreamResponse().text(),
  pipeTextStreamToResponse: async (result) => {
    const server = http.createServer((_request, response) => void result.pipeTextStreamToResponse(response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const response = await fetch(`http://127.0.0.1:${port}/`)
    const read = await response.text()
    await new Promise((resolve) => server.close(resolve))
    return read
  },
}

it.each(Object.entries(uses))('records the result of streamText until it has been read: %s', async (_name, use) => {
  let read: unknown
  const { trace } = await recordRun(answer, {
    input: 'Where is ord_1?',
    consume: async (result: Result) => void (read = await use(result)),
  })
  expect(read).toBe(text)
  expect(trace.steps.map(({ boundary, name }) => [boundary, name])).toEqual([
    ['model', 'openai.chat'],
    ['tool', 'keep'],
  ])
  for (let time = 0; time < 5; time += 1) await expectClean(trace, answer)
  // Were it over when the agent returns, this would be green.
  const changed = await replay(trace, (prompt: string) => answer(`${prompt} Be brief.`))
  expect(changed.divergences[0]).toMatchObject({ cause: 'input', step: 1, parts: ['messages'] })
})

it('leaves the result what it is to whoever gets it', async () => {
  const consume = async (result: Result): Promise<void> => {
    expect(await result.text).toBe(text)
    expect(await result.finishReason).toBe('stop')
    expect((await result.steps).length).toBe(1)
  }
  const { trace } = await recordRun(answer, { input: 'Where is ord_1?', consume })
  expect(trace.end?.error).toBeUndefined()
})
