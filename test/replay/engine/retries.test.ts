import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { startProvider } from '../../../examples/world/provider.ts'
import type { Script, Turn } from '../../../examples/world/turn.ts'
import { replay } from '../../../src/replay/replay.ts'
import type { HeaderPairs } from '../../../src/trace/http-facts.ts'
import type { Row } from '../../../src/trace/rows.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { describeError } from '../../support/record-beside.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

const messages = [{ role: 'user' as const, content: 'Hello?' }]

/** Records an agent against a script, stops the provider, and expects a clean replay. */
async function expectSame<Output>(
  script: Script,
  agent: (urls: { readonly openai: string; readonly anthropic: string }) => Promise<Output>,
): Promise<{ readonly trace: Trace; readonly output: Output; readonly run: () => Promise<Output> }> {
  const provider = await startProvider({ script })
  const urls = { openai: provider.openaiBaseUrl, anthropic: provider.anthropicBaseUrl }
  const run = (): Promise<Output> => agent(urls)
  const { trace, output } = await recordRun(run)
  await provider.close()
  await expectClean(trace, run)
  return { trace, output: output as Output, run }
}

const ask = (baseURL: string, options: ConstructorParameters<typeof OpenAI>[0] = {}): Promise<string | null | undefined> =>
  new OpenAI({ apiKey: 'sk-test', baseURL, ...options }).chat.completions
    .create({ model: 'gpt-4.1', messages })
    .then((completion) => completion.choices[0]?.message.content)

/** The recording of a provider that is a thousand times as slow. */
function slowDown(trace: Trace): Trace {
  const slower = (headers: HeaderPairs): HeaderPairs =>
    headers.map(([name, value]) => [name, name === 'retry-after-ms' ? String(Number(value) * 1000) : value])
  const rows = trace.rows.map((row): Row => {
    if (row.kind === 'head') return { ...row, at: row.at * 1000, headers: slower(row.headers) }
    return row.kind === 'timer' ? { ...row, at: row.at * 1000, delay: row.delay * 1000 } : row
  })
  return { ...trace, rows }
}

it('retries on 429, 500 and a reset connection as the SDK did', async () => {
  const script: Turn[] = [
    // The SDK waits the longer the later it is that nothing says how long.
    { cut: 'before-head' },
    { status: 429, headers: { 'retry-after-ms': '20' } },
    { status: 500, headers: { 'retry-after-ms': '5' } },
    { text: 'Hello.' },
  ]
  const { trace, output } = await expectSame(script, ({ openai }) => ask(openai, { maxRetries: 4 }))
  expect(output).toBe('Hello.')
  expect(trace.steps.map(({ attempt }) => attempt)).toEqual([undefined, 2, 3, 4])
})

it('waits twenty seconds for a retry in no time', { timeout: 10_000 }, async () => {
  const script = [
    { status: 429, headers: { 'retry-after-ms': '20' } },
    { status: 429, headers: { 'retry-after-ms': '20' } },
    { text: 'Hello.' },
  ]
  const { trace, run } = await expectSame(script, ({ openai }) => ask(openai))
  expect(rowsOf(trace, 'timer').map(({ delay }) => delay)).toEqual([20, 20])
  const replayed = await replay(slowDown(trace), run)
  expect([replayed.divergences, replayed.outcome]).toEqual([[], { status: 'returned', output: 'Hello.' }])
  expect(replayed.virtualMs).toBeGreaterThanOrEqual(40_000)
})

it('throws the error classes of the SDKs', async () => {
  const statuses = [429, 401, 404, 503]
  const caught = async (promise: Promise<unknown>): Promise<unknown> => {
    const error: unknown = await promise.catch((thrown: unknown) => thrown)
    const classes = { OpenAI, Anthropic } as const
    const known = Object.entries(classes).flatMap(([sdk, { RateLimitError, AuthenticationError, NotFoundError, InternalServerError }]) =>
      Object.entries({ RateLimitError, AuthenticationError, NotFoundError, InternalServerError }).flatMap(([name, one]) =>
        error instanceof one ? [`${sdk}.${name}`] : [],
      ),
    )
    return [known, describeError(error), error instanceof OpenAI.APIError && error.requestID]
  }
  const script: Script = ({ ordinal }) => ({ status: statuses[(ordinal - 1) % statuses.length] ?? 500 })
  const { output } = await expectSame(script, async ({ openai, anthropic }) => {
    const client = new Anthropic({ apiKey: 'sk-test', baseURL: anthropic, maxRetries: 0 })
    const results: unknown[] = []
    for (const _ of statuses) results.push(await caught(ask(openai, { maxRetries: 0 })))
    for (const _ of statuses) results.push(await caught(client.messages.create({ model: 'claude-test', max_tokens: 10, messages })))
    return results
  })
  expect(output.map((result) => (result as [string[]])[0][0])).toEqual(
    ['OpenAI', 'Anthropic'].flatMap((sdk) =>
      ['RateLimitError', 'AuthenticationError', 'NotFoundError', 'InternalServerError'].map((name) => `${sdk}.${name}`),
    ),
  )
})

it("runs into a client's own timeout, and retries after it", async () => {
  const { output, trace } = await expectSame([{ text: 'Hello.', delayMs: 200 }], async ({ openai }) => {
    const error: unknown = await ask(openai, { timeout: 20, maxRetries: 1 }).catch((thrown: unknown) => thrown)
    return [error instanceof OpenAI.APIConnectionTimeoutError, describeError(error)]
  })
  expect(output[0]).toBe(true)
  expect(rowsOf(trace, 'throw').map(({ by }) => by)).toEqual(['agent', 'agent'])
})

it('fails where a stream broke off', async () => {
  const { output } = await expectSame([{ text: 'abcdefgh', chunks: 8, cut: 'mid-stream' }], async ({ openai }) => {
    const stream = await new OpenAI({ apiKey: 'sk-test', baseURL: openai }).chat.completions.create({
      model: 'gpt-4.1',
      messages,
      stream: true,
    })
    let text = ''
    try {
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    } catch (error) {
      return [text, describeError(error)]
    }
    return text
  })
  expect(output[1]).toMatchObject({ message: 'terminated' })
})

it('stops reading a stream where the agent did', async () => {
  const { output, trace } = await expectSame([{ text: 'abcdefgh', chunks: 8, chunkDelayMs: 2 }, { text: 'again' }], async ({ openai }) => {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: openai })
    const stream = await client.chat.completions.create({ model: 'gpt-4.1', messages, stream: true })
    let text = ''
    for await (const chunk of stream) if ((text += chunk.choices[0]?.delta.content ?? '').length === 3) break
    return [text, await ask(openai)]
  })
  expect(output).toEqual(['abc', 'abcdefgh'])
  expect(rowsOf(trace, 'return').map(({ by }) => by)).toEqual(['agent', undefined])
})
