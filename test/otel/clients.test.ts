import Anthropic from '@anthropic-ai/sdk'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { wrapTools } from '../../src/run/wrap-tools.ts'
import { named, pathsOf, startTraced } from './traced.ts'

const model = await startProvider({
  script: [
    {
      toolCalls: [
        { id: 'call_one', name: 'get_order', args: { id: 'ord_1' } },
        { id: 'call_two', name: 'get_order', args: { id: 'ord_2' } },
      ],
      usage: { inputTokens: 30, outputTokens: 4 },
    },
    { text: 'Both are packed.', usage: { inputTokens: 50, outputTokens: 6 } },
  ],
})
afterAll(() => model.close())

const inputSchema = jsonSchema<{ id: string }>({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] })

it('knows which call of the model each tool of the AI SDK was called for', async () => {
  const tools = wrapTools({ get_order: tool({ inputSchema, execute: async ({ id }) => ({ id, status: 'packed' }) }) })
  await using traced = await startTraced({ content: true })
  await traced.recorder.run({ agent: 'support', input: {} }, async () => {
    const openai = createOpenAI({ baseURL: model.openaiBaseUrl, apiKey: 'test' })
    return (await generateText({ model: openai.responses('gpt-4.1'), prompt: 'Where are they?', tools, stopWhen: stepCountIs(3) })).text
  })
  const spans = await traced.spans()
  expect(pathsOf(spans)).toEqual([
    'invoke_agent support',
    'invoke_agent support > chat gpt-4.1',
    'invoke_agent support > chat gpt-4.1',
    'invoke_agent support > execute_tool get_order',
    'invoke_agent support > execute_tool get_order',
  ])
  const called = spans.filter(({ name }) => name === 'execute_tool get_order').map(({ attributes }) => attributes)
  expect(called.map((attributes) => [attributes['gen_ai.tool.call.id'], attributes['gen_ai.tool.call.arguments']])).toEqual([
    ['call_one', '{"id":"ord_1"}'],
    ['call_two', '{"id":"ord_2"}'],
  ])
  expect(named(spans, 'invoke_agent support').attributes).toMatchObject({
    'gen_ai.provider.name': 'openai',
    'gen_ai.usage.input_tokens': 80,
    'gen_ai.usage.output_tokens': 10,
  })
})

it('tells of a stream of Anthropic’s as of any other', async () => {
  await using traced = await startTraced()
  await traced.recorder.run({ agent: 'support', input: {} }, async () => {
    const anthropic = new Anthropic({ baseURL: model.anthropicBaseUrl, apiKey: 'test', maxRetries: 0 })
    await anthropic.messages
      .stream({ model: 'claude-next', max_tokens: 100, messages: [{ role: 'user', content: 'Where are they?' }] })
      .finalMessage()
  })
  expect(named(await traced.spans(), 'chat claude-next').attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'anthropic',
    'gen_ai.request.model': 'claude-next',
    'gen_ai.request.stream': true,
    'gen_ai.response.model': 'claude-next',
    'gen_ai.response.finish_reasons': ['tool_calls'],
    'gen_ai.usage.input_tokens': 30,
    'gen_ai.usage.output_tokens': 4,
    'replay.step': 1,
  })
})
