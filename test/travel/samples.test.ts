import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import { tool } from '../../src/index.ts'
import { fork } from '../../src/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** The model answers every fourth question otherwise, and repeats the marker that it was asked with. */
let asked = 0
const provider = await startProvider({
  script: ({ messages }) => {
    asked += 1
    const marker = /marker-\S+/.exec(messages.at(-1)?.text ?? '')?.[0] ?? ''
    return { text: `${asked % 4 === 0 ? 'wait' : 'refund'} ${marker}`, usage: { inputTokens: 100, outputTokens: 10 } }
  },
})
afterAll(() => provider.close())
const openai = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 0 })

let reached = 0
const bank = await listen(async (_request, response) => {
  reached += 1
  response.end('{}')
})
afterAll(() => bank.close())
const refund = tool('refund', { effect: 'write' }, async (id: string) => (await fetch(bank.url, { method: 'POST', body: id })).json())

async function agent({ order }: { order: string }): Promise<string[]> {
  const said: string[] = []
  for (const turn of [1, 2]) {
    const marker = `marker-${randomUUID()}`
    const { choices } = await openai.chat.completions.create({
      model: 'gpt-4.1',
      messages: [{ role: 'user', content: `${turn} ${marker}` }],
    })
    const text = choices[0]?.message.content ?? ''
    // What came back belongs to this run.
    said.push(text.endsWith(marker) ? (text.split(' ')[0] ?? '') : `mixed: ${text} for ${marker}`)
  }
  if (said[1] === 'refund') await refund(order)
  return said
}
const { trace } = await recordRun(agent, { input: { order: 'o1' } })
const sandbox = { refund: { sandboxed: true } }

it('makes forty samples, sixteen at a time, without a real call and without mixing them up', async () => {
  const before = reached
  const { runs, outcomes, spent } = await fork(trace, agent, { at: { turn: 2 }, then: 'live', sandbox, samples: 40, concurrency: 16 })
  expect(runs).toHaveLength(40)
  expect(reached).toBe(before)
  expect(spent).toEqual({ calls: 40, cached: 0, tokens: 4400, usd: 0 })
  const said = runs.map(({ outcome }) => (outcome as { output?: string[] }).output?.[1])
  expect(new Set(said)).toEqual(new Set(['refund', 'wait']))
  // By the provider's count: every fourth answer.
  expect(outcomes.map((group) => group.runs.length)).toEqual([30, 10])
  expect(outcomes[0]?.share).toBe(0.75)
  expect(outcomes[0]?.interval.low).toBeCloseTo(0.598, 3)
  for (const run of runs) {
    expect(run.sideEffects.map(({ name, route }) => [name, route])).toEqual(
      (run.outcome as { output?: string[] }).output?.[1] === 'refund' ? [['refund', 'recorded']] : [],
    )
  }
  // The id in the request was drawn before the step: in all of them it is production's.
  expect(new Set(runs.map((run) => JSON.stringify(run.modelCalls[1]?.request.messages))).size).toBe(1)
})

it('makes no call the second time, and keeps no secret in the cache', async () => {
  await using directory = await createTemporaryDirectory()
  const cache = directory.resolve('cache')
  const options = { at: { turn: 2 }, then: 'live', sandbox, samples: 6, concurrency: 3, cache } as const
  const first = await fork(trace, agent, options)
  const before = asked
  const second = await fork(trace, agent, options)
  expect(asked).toBe(before)
  expect([first.spent, second.spent]).toMatchObject([
    { calls: 6, cached: 0 },
    { calls: 0, cached: 6 },
  ])
  expect(second.runs.map(({ outcome }) => outcome)).toEqual(first.runs.map(({ outcome }) => outcome))
  const files = await readdir(cache, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    expect(await readFile(path.join(cache, file), 'utf8')).not.toContain('sk-test')
  }
  // Another seed, another step, another request are asked for.
  await fork(trace, agent, { ...options, seed: 100 })
  expect(asked).toBe(before + 6)
})

it('stops when the budget is used up, and says so', async () => {
  const prices = { 'gpt-4.1': { input: 1000, output: 1000 } }
  const options = { at: { turn: 2 }, then: 'live', sandbox, samples: 20, concurrency: 1 } as const
  const byCalls = await fork(trace, agent, { ...options, budget: { calls: 3 } })
  expect(byCalls).toMatchObject({ spent: { calls: 3 }, usedUp: '3 calls' })
  expect(byCalls.runs).toHaveLength(3)
  const byTokens = await fork(trace, agent, { ...options, budget: { tokens: 300 } })
  expect(byTokens).toMatchObject({ spent: { calls: 3, tokens: 330 }, usedUp: '300 tokens' })
  const byPrice = await fork(trace, agent, { ...options, budget: { usd: 0.2, prices } })
  expect(byPrice).toMatchObject({ spent: { calls: 2, usd: expect.closeTo(0.22) }, usedUp: '0.2 US dollars' })
  const inOne = await fork(trace, agent, { at: { turn: 1 }, then: 'live', sandbox, budget: { calls: 1 } })
  expect(inOne.outcome).toMatchObject({ status: 'stopped', divergence: { reason: 'The budget of 1 calls is used up.' } })
  await expect(fork(trace, agent, { ...options, budget: { usd: 1 } })).rejects.toThrow('budget.prices')
  await expect(fork(trace, agent, { ...options, samples: 0 })).rejects.toThrow('a whole number of 1 or more')
})
