import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { canonical } from '../../src/trace/hash.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

const provider = await startProvider({ script: () => ({ text: 'Hello.' }) })
afterAll(() => provider.close())

interface Asked {
  readonly model?: string
  readonly baseURL?: string
  readonly system?: string
  readonly question?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly description?: string
}

const key = 'sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2'

async function ask({
  model = 'gpt-4.1',
  baseURL = provider.openaiBaseUrl,
  system = `You help. Your key is ${key}.`,
  question = 'Hi',
  properties = { id: { type: 'string' } },
  description = 'Finds an order',
}: Asked = {}): Promise<string | null | undefined> {
  const client = new OpenAI({ apiKey: 'sk-test', baseURL, maxRetries: 0 })
  const completion = await client.chat.completions.create({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: question },
    ],
    tools: [{ type: 'function', function: { name: 'get_order', description, parameters: { type: 'object', properties } } }],
  })
  return completion.choices[0]?.message.content
}

const { trace } = await recordRun(() => ask())
const golden = promoted(trace)

function promoted(recording: Trace): Trace {
  const { text } = toGolden(recording, { name: 'hello', promotedAt: '2026-11-21T00:00:00.000Z' })
  return decodeTrace(text, 'hello.jsonl', digest)
}

it('writes models, and hashes of system prompts and tool schemas, into the header of a golden', () => {
  const schema = { type: 'object', properties: { id: { type: 'string' } } }
  expect(golden.header.contracts).toEqual({
    models: ['gpt-4.1'],
    systemPrompts: [digest('You help. Your key is sk-proj-#.')],
    tools: { get_order: digest(canonical(schema)) },
  })
})

it('hashes the same contracts whatever number a secret has among those of its trace', async () => {
  const other = await recordRun(async (input: string) => [input.length, await ask()], { input: 'my key is ghp_0123456789abcdefghijklmnop' })
  expect(promoted(other.trace).header.contracts).toEqual(golden.header.contracts)
})

it('tells of another base URL as drift, which does not make a replay diverge', async () => {
  for (const recorded of [trace, golden]) {
    const run = await replay(recorded, () => ask({ baseURL: 'https://gateway.example.com/openai/v1' }))
    expect(run.divergences).toEqual([])
    expect(run.hash).toBe(recorded.hash)
    expect(run.drift).toEqual([
      {
        kind: 'endpoint',
        step: 1,
        expected: 'http://localhost/v1/chat/completions',
        received: 'https://gateway.example.com/openai/v1/chat/completions',
      },
    ])
  }
  expect((await replay(golden, () => ask())).drift).toEqual([])
  // What stands in for a provider on this machine has another port each time.
  expect((await replay(golden, () => ask({ baseURL: 'http://localhost:1/v1' }))).drift).toEqual([])
})

it('tells a contract that changed from an agent that did', async () => {
  const properties = { id: { type: 'string' }, region: { type: 'string' } }
  for (const recorded of [trace, golden]) {
    const schema = await replay(recorded, () => ask({ properties }))
    expect(schema.divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['tool-schema'] }])
    expect(schema.drift).toEqual([
      {
        kind: 'tool-schema',
        step: 1,
        tool: 'get_order',
        expected: golden.header.contracts.tools['get_order'],
        received: digest(canonical({ type: 'object', properties })),
      },
    ])
    const agent = await replay(recorded, () => ask({ question: 'Hello?' }))
    expect(agent.divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['messages'] }])
    expect(agent.drift).toEqual([])
  }
})

it('says in the report what drifted, once each', async () => {
  const properties = { id: { type: 'number' } }
  const run = await replay(golden, () => ask({ properties, baseURL: 'https://gateway.example.com/v1' }))
  const report = renderReport(run, { color: false, width: 160 })
  expect(report).toContain(`
Drift: step 1 goes to https://gateway.example.com/v1/chat/completions; http://localhost/v1/chat/completions was recorded.
Drift: the schema of the tool get_order, offered at step 1, differs from the recorded one.
`)
  const refused = renderReport(await replay(golden, () => ask({ model: 'gpt-5' })), { color: false, width: 160 })
  expect(refused).toContain('(model drift)')
  expect(refused).not.toContain('\nDrift:')
})

it('refuses another model unless both names are typed out, and keeps telling of it', async () => {
  const asked = (allowModelDrift: { from: string; to: string }[], fields: Asked = {}): ReturnType<typeof replay> =>
    replay(golden, () => ask({ model: 'gpt-5', ...fields }), { allowModelDrift })
  for (const allowed of [
    [],
    [{ from: 'gpt-4', to: 'gpt-5' }],
    [{ from: 'gpt-4.1', to: 'gpt-5-mini' }],
    [{ from: 'gpt-5', to: 'gpt-4.1' }],
  ]) {
    expect((await asked(allowed)).divergences).toMatchObject([{ cause: 'model-drift', step: 1, parts: ['model'] }])
  }
  const run = await asked([{ from: 'gpt-4.1', to: 'gpt-5' }])
  expect(run.divergences).toEqual([])
  expect(run.drift).toEqual([{ kind: 'model', step: 1, expected: 'gpt-4.1', received: 'gpt-5' }])
  expect((await asked([], { question: 'Hello?' })).divergences).toMatchObject([{ cause: 'input', parts: ['model', 'messages'] }])
  expect((await asked([{ from: 'gpt-4.1', to: 'gpt-5' }], { question: 'Hello?' })).divergences).toMatchObject([
    { cause: 'input', parts: ['messages'] },
  ])
})

it.each([{ from: 'gpt-4.1' }, { to: 'gpt-5' }, { from: '', to: 'gpt-5' }, { from: /gpt/, to: 'gpt-5' }])(
  'refuses to allow a drift that names one model only: %j',
  async (drift) => {
    await expect(replay(golden, () => ask(), { allowModelDrift: [drift as never] })).rejects.toMatchObject({
      code: 'GOLDENRUN_OPTIONS',
      message: expect.stringContaining('the option "allowModelDrift" has to name both models, { from, to }'),
    })
  },
)

it.each([
  ['write', 'read', 'the tool refund declares the effect read; write was recorded.'],
  ['read', 'write', 'the tool refund declares the effect write; read was recorded.'],
  ['write', undefined, 'the tool refund declares no effect; write was recorded.'],
  [undefined, 'write', 'the tool refund declares the effect write; none was recorded.'],
] as const)('tells of a tool whose effect was %s and is %s', async (expected, received, sentence) => {
  const refund = (effect: 'read' | 'write' | undefined) => tool('refund', effect === undefined ? {} : { effect }, async (id: string) => id)
  const agent = (effect: 'read' | 'write' | undefined) => async () => [await refund(effect)('a'), await refund(effect)('b')]
  const { trace: recorded } = await recordRun(agent(expected))
  expect((await replay(recorded, agent(expected))).drift).toEqual([])
  const run = await replay(recorded, agent(received))
  expect(run.divergences).toEqual([])
  expect(run.drift).toEqual([{ kind: 'effect', step: 1, tool: 'refund', expected: expected ?? 'none', received: received ?? 'none' }])
  expect(renderReport(run, { color: false, width: 160 })).toContain(`Drift: ${sentence}`)
})
