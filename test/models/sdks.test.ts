import { BedrockRuntimeClient, ConverseCommand, ThrottlingException } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { fork } from '../../src/travel/fork.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import { answerAsProvider } from './scripted-answers.ts'
import { createAgents, type Agent, type Settings } from './sdk-agents.ts'

const provider = await listen(answerAsProvider)
const agents = createAgents(provider.url).map(([name, agent, model, dialect]) => {
  const settings: Settings = { model, system: 'You help.', description: 'Looks an order up.', temperature: 0.2 }
  return { name, agent, dialect, settings }
})
const traces = new Map<string, Trace>()

beforeAll(async () => {
  for (const { name, agent, settings } of agents) traces.set(name, (await recordRun(() => agent(settings))).trace)
  // What is replayed reaches nobody.
  await provider.close()
})
afterAll(() => provider.close())

it.each(agents)('records and replays a conversation with $name', async ({ name, agent, dialect, settings }) => {
  const trace = traceOf(name)
  expect(trace.steps.map((step) => [step.boundary, step.name])).toEqual([
    ['model', dialect],
    ['tool', 'get_order'],
    ['model', dialect],
  ])
  const run = await expectClean(trace, () => agent(settings))
  expect(run.outcome).toEqual({ status: 'returned', output: 'It is packed. Grüße!' })
  const [asked, told] = run.modelCalls
  expect(asked?.request).toMatchObject({
    model: settings.model,
    stream: name.endsWith('streamed'),
    system: ['You help.'],
    messages: [{ role: 'user', text: 'Where is ord_1?' }],
    tools: [{ name: 'get_order', description: 'Looks an order up.', schema: { required: ['id'] } }],
    sampling: { temperature: 0.2 },
  })
  expect(asked?.answer).toMatchObject({
    text: '',
    reasoning: 'I have to look.',
    toolCalls: [{ name: 'get_order', args: { id: 'ord_1' } }],
    stopReason: 'tool-calls',
    usage: { inputTokens: 40, outputTokens: 10 },
  })
  expect(told?.request.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(told?.request.messages.at(-1)?.toolResult?.text).toBe('{"id":"ord_1","status":"packed"}')
  expect(told?.answer).toMatchObject({ text: 'It is packed. Grüße!', toolCalls: [], stopReason: 'end' })
  expect(told?.answer?.error).toBe(undefined)
  expect(run.usage).toEqual({ inputTokens: 80, outputTokens: 20 })
})

it.each(agents)('says which part of a request to $name has changed', async ({ name, agent, settings }) => {
  const changes: readonly (readonly [change: Partial<Settings>, cause: string, part: string])[] = [
    [{ system: 'You help, and you are brief.' }, 'input', 'system-prompt'],
    [{ description: 'Looks up one order.' }, 'input', 'tool-schema'],
    [{ temperature: 0.7 }, 'input', 'sampling'],
    [{ model: settings.model.replace('a', 'b') }, 'model-drift', 'model'],
  ]
  for (const [change, cause, part] of changes) expect(await verdictOf(name, agent, { ...settings, ...change })).toEqual([cause, 1, [part]])
})

it.each([['Gemini'], ['Bedrock Converse'], ['Bedrock InvokeModel']])('says that a call of %s is streamed now', async (name) => {
  const [whole, streamed] = [name, `${name}, streamed`].map((each) => agents.find((candidate) => candidate.name === each))
  for (const [before, now] of [
    [whole, streamed],
    [streamed, whole],
  ]) {
    if (before === undefined || now === undefined) throw new Error(`no agent: ${name}`)
    const { divergences, drift } = await replay(traceOf(before.name), () => now.agent(now.settings))
    expect(divergences).toMatchObject([{ cause: 'input', step: 1, parts: ['url'] }])
    // The part says it, and it is no other base URL.
    expect(drift).toEqual([])
  }
})

it.each(agents)('answers a fork of a conversation with $name', async ({ name, agent, dialect, settings }) => {
  const changed = { ...settings, system: 'You help, and you are brief.' }
  const run = await fork(traceOf(name), () => agent(changed), { answers: { [dialect]: 'Forked. Grüße!' } })
  expect(run.outcome).toEqual({ status: 'returned', output: 'Forked. Grüße!' })
  expect(run.modelCalls.map(({ answer }) => answer)).toMatchObject([{ text: 'Forked. Grüße!', toolCalls: [], stopReason: 'end' }])
  expect(run.modelCalls[0]?.answer?.error).toBe(undefined)
})

it('throws the error again that Bedrock answered, as the class that it was', async () => {
  await using failing = await listen(async (_, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'x-amzn-errortype': 'ThrottlingException', 'x-amzn-requestid': 'r1' })
    response.end('{"message":"Too many requests."}')
  })
  const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' }
  const options = { endpoint: failing.url, region: 'us-east-1', credentials, maxAttempts: 1, requestHandler: new NodeHttpHandler() }
  const seen: unknown[] = []
  const agent = async (): Promise<string> => {
    try {
      await new BedrockRuntimeClient(options).send(new ConverseCommand({ modelId: 'm', messages: [] }))
      return 'answered'
    } catch (error) {
      seen.push(error)
      return String(error)
    }
  }
  const { trace } = await recordRun(agent)
  const run = await expectClean(trace, agent)
  expect(run.outcome).toEqual({ status: 'returned', output: 'ThrottlingException: Too many requests.' })
  expect(seen.map((error) => error instanceof ThrottlingException)).toEqual([true, true, true])
  expect(run.modelCalls[0]?.answer?.error).toEqual({ message: 'Too many requests.' })
})

async function verdictOf(name: string, agent: Agent, settings: Settings): Promise<unknown> {
  const { outcome } = await replay(traceOf(name), () => agent(settings))
  if (outcome.status !== 'stopped') return outcome
  const { cause, step, differences } = outcome.divergence
  return [cause, step, [...new Set(differences.map((difference) => difference.part))]]
}

function traceOf(name: string): Trace {
  const trace = traces.get(name)
  if (trace === undefined) throw new Error(`not recorded: ${name}`)
  return trace
}
