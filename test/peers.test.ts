import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { startProvider } from '../examples/world/provider.ts'
import { renderReport } from '../src/divergence/create-report.ts'
import { matchers } from '../src/matchers/runner-matchers.ts'
import { holdsSubset } from '../src/matchers/subset.ts'
import { replay } from '../src/replay/replay.ts'
import type { ReplayedRun } from '../src/replay/contract/replayed-run.ts'
import { tool } from '../src/run/tool.ts'
import type { Trace } from '../src/trace/trace.ts'
import { recordRun, rowsOf } from './support/record-run.ts'

// What other tools get wrong, each as a test here. The model is asked with the real SDK, and is gone by the time of the replay.

/** A recorded run of an agent that is given the address of a model. */
async function recordWithModel<Output>(
  script: Parameters<typeof startProvider>[0]['script'],
  agent: (baseURL: string) => Output,
): Promise<{ trace: Trace; baseURL: string; output: Awaited<Output> }> {
  const provider = await startProvider({ script })
  const baseURL = provider.openaiBaseUrl
  const { trace, output } = await recordRun(() => agent(baseURL))
  await provider.close()
  return { trace, baseURL, output }
}

async function ask(baseURL: string, question: string, system: string = 'You help.'): Promise<string> {
  const client = new OpenAI({ apiKey: 'sk-local', baseURL, maxRetries: 0 })
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ] as const
  const answer = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages: [...messages] })
  return answer.choices[0]?.message.content ?? ''
}

const verdict = ({ divergences: [first] }: ReplayedRun): unknown => first && [first.cause, first.step, ...first.parts]

it('answers concurrent questions about other documents with their own results (OrcaReplay #71)', async () => {
  const documents = Array.from({ length: 8 }, (_, index) => `document ${index}`)
  const echo = ({ messages }: { messages: readonly { readonly text: string }[] }): { text: string; delayMs: number } => {
    const text = messages.at(-1)?.text ?? ''
    return { text: `About ${text}`, delayMs: 20 - 2 * Number(text.slice(-1)) }
  }
  const agent = (order: readonly string[]) => (baseURL: string) =>
    Promise.all(order.map(async (name): Promise<[string, string]> => [name, await ask(baseURL, name)]))
  const { trace, baseURL } = await recordWithModel(echo, agent(documents))
  for (const order of [documents, documents.toReversed()]) {
    const run = await replay(trace, () => agent(order)(baseURL), { onDivergence: 'continue' })
    expect(run.outcome).toMatchObject({ status: 'returned', output: order.map((name) => [name, `About ${name}`]) })
  }
})

it('goes red for a changed system prompt and for a changed tool result (aimock, strict)', async () => {
  const look = tool('look', {}, async (_id: string) => 'packed')
  const agent = (system: string, told: (result: string) => string) => async (baseURL: string) =>
    await ask(baseURL, `The order is ${told(await look('ord_1'))}.`, system)
  const { trace, baseURL } = await recordWithModel(
    [{ text: 'I see.' }],
    agent('You help.', (result) => result),
  )
  const replayed = (...changed: Parameters<typeof agent>): Promise<ReplayedRun> => replay(trace, () => agent(...changed)(baseURL))
  expect(verdict(await replayed('You help.', (result) => result))).toBeUndefined()
  expect(verdict(await replayed('You help!', (result) => result))).toEqual(['input', 2, 'system-prompt'])
  expect(verdict(await replayed('You help.', () => 'sent'))).toEqual(['input', 2, 'messages'])
})

it('streams the chunks that were recorded, and as many (aimock made 4 of 7, nock makes 1)', async () => {
  const pieces = async (baseURL: string): Promise<string[]> => {
    const client = new OpenAI({ apiKey: 'sk-local', baseURL, maxRetries: 0 })
    const messages = [{ role: 'user', content: 'Tell me.' } as const]
    const heard: string[] = []
    for await (const chunk of await client.chat.completions.create({ model: 'gpt-4.1-mini', messages, stream: true })) {
      heard.push(chunk.choices[0]?.delta.content ?? '')
    }
    return heard
  }
  const text = 'one two three four five six seven'
  const { trace, baseURL, output } = await recordWithModel([{ text, chunks: 7, chunkDelayMs: 5 }], pieces)
  expect(rowsOf(trace, 'chunk').length).toBeGreaterThanOrEqual(7)
  const run = await replay(trace, () => pieces(baseURL))
  expect(run.outcome).toEqual({ status: 'returned', output })
  expect(run.toTrace().rows.filter(({ kind }) => kind === 'chunk')).toHaveLength(rowsOf(trace, 'chunk').length)
})

it('answers the same tool with the same arguments in turn: queued, running, done (vitest-evals)', async () => {
  const states = ['queued', 'running', 'done']
  const poll = tool('poll', {}, async (_job: string) => states.shift() ?? 'gone')
  const agent = async (): Promise<string[]> => [await poll('job_1'), await poll('job_1'), await poll('job_1')]
  const { trace } = await recordRun(agent)
  const run = await replay(trace, agent)
  expect(run.outcome).toEqual({ status: 'returned', output: ['queued', 'running', 'done'] })
})

it('tells of a miss by the call, the nearest recorded one and the field, not by a hash or a bare 503 (vitest-evals, aimock)', async () => {
  const look = tool('look', {}, async (_id: string) => 'packed')
  const { trace } = await recordRun(() => look('ord_1'))
  const run = await replay(trace, async () => [await look('ord_1'), await look('ord_2')])
  const report = renderReport(run, { color: false, width: 110 })
  expect(report).toContain('received  look("ord_2")')
  expect(report).toContain('nearest   step 1, look("ord_1") (differs in args)')
  expect(report).not.toMatch(/[\da-f]{32}/)
})

it('does not go live on localhost (llm-vcr), nor where it finds nothing recorded (Polly), though the agent swallows the refusal', async () => {
  let requests = 0
  const script = (): { text: string } => ({ text: `answer ${(requests += 1)}` })
  const provider = await startProvider({ script })
  try {
    const { trace } = await recordRun(() => ask(provider.openaiBaseUrl, 'Once.'))
    expect(requests).toBe(1)
    const run = await replay(trace, async () => {
      const once = await ask(provider.openaiBaseUrl, 'Once.')
      return [once, await ask(provider.openaiBaseUrl, 'And again?').catch(() => 'never mind')]
    })
    expect(requests).toBe(1)
    expect(verdict(run)).toEqual(['unexpected-call', 1])
    expect(run.outcome.status).toBe('stopped')
  } finally {
    await provider.close()
  }
})

it('keeps calls in the order in which they started, not in which they ended (nock)', async () => {
  const wait = tool('wait', {}, async (milliseconds: number) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    return milliseconds
  })
  const { trace } = await recordRun(() => Promise.all([wait(20), wait(1)]))
  expect(trace.steps.map(({ input }) => input)).toEqual([20, 1])
  expect(rowsOf(trace, 'return').map(({ output }) => output)).toEqual([1, 20])
})

it('compares bodies (VCR.py by default does not)', async () => {
  const { trace, baseURL } = await recordWithModel([{ text: 'Yes.' }], (url) => ask(url, 'Is it sent?'))
  expect(verdict(await replay(trace, () => ask(baseURL, 'Is it lost?')))).toEqual(['input', 1, 'messages'])
})

it('says why a trajectory fails (LangSmith and its kin say false)', async () => {
  const [look, cancel] = [tool('look', {}, async () => 'packed'), tool('cancel', {}, async () => 'done')]
  const { trace } = await recordRun(async () => [await look(), await cancel()])
  const run = await replay(trace, async () => [await look(), await cancel()])
  const context = { isNot: false, color: false, width: 110, matches: holdsSubset, difference: () => [] }
  const { pass, message } = matchers.toHaveCalledTools(context, run, ['look', 'refund'])
  expect(pass).toBe(false)
  expect(message()).toContain('refund  ← not called here')
})

it('runs no tool and asks no model again on the way to a later step (LangGraph, OrcaReplay)', async () => {
  let ran = 0
  const book = tool('book', { effect: 'write' }, async () => (ran += 1))
  const { trace, baseURL } = await recordWithModel([{ text: 'Booked.' }], async (url) => [await book(), await ask(url, 'Is it booked?')])
  const run = await replay(trace, async () => [await book(), await ask(baseURL, 'Is it booked?'), 'and more'])
  expect(ran).toBe(1)
  expect(verdict(run)).toEqual(['outcome', 2])
})

it('replays a run whose secrets were taken out, where the agent still has them (flight-recorder replays the mask)', async () => {
  const key = 'sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2'
  const look = tool('look', {}, async ({ id }: { id: string; key: string }) => ({ id }))
  const agent = async (): Promise<unknown> => await look({ id: 'ord_1', key })
  const { trace, text } = await recordRun(agent)
  expect(text).not.toContain(key)
  expect((await replay(trace, agent)).divergences).toEqual([])
})
