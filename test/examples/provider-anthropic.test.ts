import Anthropic from '@anthropic-ai/sdk'
import { expect, it } from 'vitest'
import { type Provider, startProvider } from '../../examples/world/provider.ts'
import type { Script } from '../../examples/world/turn.ts'

const REQUEST = {
  model: 'claude-sonnet-5',
  max_tokens: 1024,
  system: 'Be brief.',
  messages: [{ role: 'user' as const, content: 'Weather in Bern and Biel?' }],
}

const TURN = {
  text: 'Grüezi 🌦️! I will look that up.',
  toolCalls: [
    { name: 'get_weather', args: { city: 'Bern' } },
    { id: 'toolu_mine', name: 'get_weather', args: { city: 'Biel' } },
  ],
  usage: { inputTokens: 506, outputTokens: 153 },
}

const CONTENT = [
  { type: 'text', text: TURN.text },
  { type: 'tool_use', id: 'toolu_1_1', name: 'get_weather', input: { city: 'Bern' } },
  { type: 'tool_use', id: 'toolu_mine', name: 'get_weather', input: { city: 'Biel' } },
]

async function start(script: Script): Promise<{ provider: Provider; client: Anthropic } & AsyncDisposable> {
  const provider = await startProvider({ script })
  const client = new Anthropic({ apiKey: 'sk-ant-test', baseURL: provider.anthropicBaseUrl, maxRetries: 0 })
  return { provider, client, [Symbol.asyncDispose]: () => provider.close() }
}

it('answers messages as JSON', async () => {
  await using world = await start([TURN])
  const message = await world.client.messages.create(REQUEST)
  expect(message.content).toEqual(CONTENT)
  expect(message).toMatchObject({ id: 'msg_1', role: 'assistant', stop_reason: 'tool_use', _request_id: 'req_1' })
  expect(message.usage).toMatchObject({ input_tokens: 506, output_tokens: 153 })
})

it('streams messages that the SDK assembles to the same answer', async () => {
  await using world = await start([TURN])
  const stream = world.client.messages.stream(REQUEST)
  const message = await stream.finalMessage()
  expect(message.content).toEqual(CONTENT)
  expect(message.stop_reason).toBe('tool_use')
  expect(message.usage).toMatchObject({ input_tokens: 506, output_tokens: 153 })
})

it('names the events of a streamed message in the order of the API', async () => {
  await using world = await start([{ text: 'Hi.', chunks: 2, toolCalls: [{ name: 'wave', args: {}, id: 'toolu_1' }] }])
  await world.client.messages.stream(REQUEST).finalMessage()
  const sent = Buffer.concat(world.provider.exchanges[0]?.sent ?? []).toString()
  expect(Array.from(sent.matchAll(/^event: (.*)$/gm), (match) => match[1])).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  expect(Array.from(sent.matchAll(/"partial_json":"([^"]*)"/g), (match) => match[1])).toEqual(['', '{', '}'])
})

it('counts turns and reads tool results of a conversation of messages', async () => {
  const seen: unknown[] = []
  await using world = await start((request) => {
    seen.push({ turn: request.turn, system: request.system, messages: request.messages, tools: request.tools })
    return { text: 'Rain.' }
  })
  await world.client.messages.create({
    ...REQUEST,
    tools: [{ name: 'get_weather', description: 'The weather.', input_schema: { type: 'object' } }],
    messages: [
      ...REQUEST.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Bern' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'rain' }] },
    ],
  })
  expect(seen).toEqual([
    {
      turn: 1,
      system: ['Be brief.'],
      messages: [
        { role: 'user', text: 'Weather in Bern and Biel?' },
        { role: 'assistant', text: '', toolCalls: [{ id: 'toolu_1', name: 'get_weather', argumentsText: '{"city":"Bern"}' }] },
        { role: 'tool', text: 'rain', toolCallId: 'toolu_1' },
      ],
      tools: [{ name: 'get_weather', description: 'The weather.', schema: { type: 'object' } }],
    },
  ])
})

it('words errors as the API does, so that the SDK throws their class', async () => {
  await using world = await start([
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 529, error: { message: 'Too much today' } },
  ])
  const first: unknown = await world.client.messages.create(REQUEST).catch((error: unknown) => error)
  expect(first).toBeInstanceOf(Anthropic.RateLimitError)
  expect(first).toMatchObject({ status: 429, requestID: 'req_1', error: { error: { type: 'rate_limit_error' } } })
  const second: unknown = await world.client.messages.create(REQUEST).catch((error: unknown) => error)
  expect(second).toMatchObject({ status: 529, error: { error: { type: 'overloaded_error', message: 'Too much today' } } })
})
