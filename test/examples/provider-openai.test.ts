import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { type Provider, startProvider } from '../../examples/world/provider.ts'
import type { Script } from '../../examples/world/turn.ts'

const QUESTION = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Weather in Bern and Biel?' },
] as const

const TURN = {
  text: 'Grüezi 🌦️! I will look that up.',
  toolCalls: [
    { name: 'get_weather', args: { city: 'Bern' } },
    { id: 'call_mine', name: 'get_weather', args: { city: 'Biel' }, argumentsText: '{"city": "Biel"}' },
  ],
  usage: { inputTokens: 75, outputTokens: 51 },
}

const CHAT_CALLS = [
  { id: 'call_1_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Bern"}' } },
  { id: 'call_mine', type: 'function', function: { name: 'get_weather', arguments: '{"city": "Biel"}' } },
]

async function start(script: Script): Promise<{ provider: Provider; client: OpenAI } & AsyncDisposable> {
  const provider = await startProvider({ script })
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 0 })
  return { provider, client, [Symbol.asyncDispose]: () => provider.close() }
}

it('answers chat completions as JSON', async () => {
  await using world = await start([TURN])
  const completion = await world.client.chat.completions.create({ model: 'gpt-4.1', messages: [...QUESTION] })
  expect(completion.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: TURN.text, tool_calls: CHAT_CALLS } })
  expect(completion.usage).toMatchObject({ prompt_tokens: 75, completion_tokens: 51, total_tokens: 126 })
  expect(completion).toMatchObject({ id: 'chatcmpl-1', model: 'gpt-4.1', _request_id: 'req_1' })
})

it('streams chat completions that the SDK assembles to the same answer', async () => {
  await using world = await start([TURN])
  const stream = world.client.chat.completions.stream({
    model: 'gpt-4.1',
    messages: [...QUESTION],
    stream_options: { include_usage: true },
  })
  const completion = await stream.finalChatCompletion()
  expect(completion.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: TURN.text, tool_calls: CHAT_CALLS } })
  expect(completion.usage).toMatchObject({ prompt_tokens: 75, completion_tokens: 51, total_tokens: 126 })
})

it('sends the usage chunk of chat completions only where it is asked for', async () => {
  await using world = await start([
    { text: 'Sunny.', chunks: 1 },
    { text: 'Sunny.', chunks: 1 },
  ])
  const plain = await collect(await world.client.chat.completions.create({ model: 'gpt-4.1', messages: [...QUESTION], stream: true }))
  const options = { include_usage: true }
  const counted = await collect(
    await world.client.chat.completions.create({ model: 'gpt-4.1', messages: [...QUESTION], stream: true, stream_options: options }),
  )
  expect(plain.map((chunk) => 'usage' in chunk)).toEqual([false, false, false])
  expect(counted.map((chunk) => chunk.usage?.total_tokens)).toEqual([undefined, undefined, undefined, expect.any(Number)])
  expect(counted.at(-1)?.choices).toEqual([])
  const sent = world.provider.exchanges.map((exchange) => Buffer.concat(exchange.sent).toString())
  expect(sent[0]).toMatch(/^data: \{.*\}\n\n(data: .*\n\n)*data: \[DONE\]\n\n$/)
})

it('answers responses as JSON', async () => {
  await using world = await start([TURN])
  const response = await world.client.responses.create({ model: 'gpt-4.1', instructions: 'Be brief.', input: 'Weather?' })
  expect(response.output_text).toBe(TURN.text)
  expect(response.output).toMatchObject([
    { type: 'message', id: 'msg_1_1', role: 'assistant' },
    { type: 'function_call', id: 'fc_1_1', call_id: 'call_1_1', name: 'get_weather', arguments: '{"city":"Bern"}' },
    { type: 'function_call', id: 'fc_1_2', call_id: 'call_mine', name: 'get_weather', arguments: '{"city": "Biel"}' },
  ])
  expect(response).toMatchObject({ id: 'resp_1', status: 'completed', instructions: 'Be brief.' })
  expect(response.usage).toMatchObject({ input_tokens: 75, output_tokens: 51, total_tokens: 126 })
})

it('streams responses that the SDK assembles to the same answer', async () => {
  await using world = await start([TURN])
  const stream = world.client.responses.stream({ model: 'gpt-4.1', input: 'Weather?' })
  const types: string[] = []
  stream.on('event', (event) => types.push(event.type))
  const response = await stream.finalResponse()
  expect(response.output_text).toBe(TURN.text)
  expect(response.output.filter((item) => item.type === 'function_call').map((item) => item.arguments)).toEqual([
    '{"city":"Bern"}',
    '{"city": "Biel"}',
  ])
  expect(response.usage).toMatchObject({ input_tokens: 75, output_tokens: 51 })
  expect(types.slice(0, 5)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
  ])
  expect(types.at(-1)).toBe('response.completed')
})

it('continues from a previous response when the history is not resent', async () => {
  await using world = await start([{ text: 'one' }, { text: 'two' }])
  const first = await world.client.responses.create({ model: 'gpt-4.1', input: 'Count.' })
  const second = await world.client.responses.create({ model: 'gpt-4.1', input: 'Go on.', previous_response_id: first.id })
  expect([first.output_text, second.output_text]).toEqual(['one', 'two'])
})

it('counts a turn of several response items as one', async () => {
  await using world = await start([TURN, { text: 'Rain in both.' }])
  const first = await world.client.responses.create({ model: 'gpt-4.1', input: 'Weather?' })
  const results = ['call_1_1', 'call_mine'].map((call_id) => ({ type: 'function_call_output' as const, call_id, output: 'rain' }))
  const second = await world.client.responses.create({
    model: 'gpt-4.1',
    input: [
      { role: 'user', content: 'Weather?' },
      ...first.output.filter((item) => item.type !== 'reasoning'),
      ...results,
    ] as OpenAI.Responses.ResponseInput,
  })
  expect(second.output_text).toBe('Rain in both.')
})

it('shows a script what the request says', async () => {
  const seen: unknown[] = []
  await using world = await start((request) => {
    const { dialect, model, system, messages, tools, turn, ordinal, stream } = request
    seen.push({ dialect, model, system, messages, tools, turn, ordinal, stream })
    return { text: 'ok' }
  })
  await world.client.chat.completions.create({
    model: 'gpt-4.1',
    messages: [
      ...QUESTION,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
    ],
    tools: [{ type: 'function', function: { name: 'get_weather', description: 'The weather.', parameters: { type: 'object' } } }],
  })
  expect(seen).toEqual([
    {
      dialect: 'openai.chat',
      model: 'gpt-4.1',
      system: ['Be brief.'],
      messages: [
        { role: 'user', text: 'Weather in Bern and Biel?' },
        { role: 'assistant', text: '', toolCalls: [{ id: 'call_1', name: 'get_weather', argumentsText: '{}' }] },
        { role: 'tool', text: 'rain', toolCallId: 'call_1' },
      ],
      tools: [{ name: 'get_weather', description: 'The weather.', schema: { type: 'object' } }],
      turn: 1,
      ordinal: 1,
      stream: false,
    },
  ])
})

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}
