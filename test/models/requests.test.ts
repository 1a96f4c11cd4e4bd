import { expect, it } from 'vitest'
import { anthropicMessages } from '../../src/models/anthropic-messages.ts'
import { openaiChat } from '../../src/models/openai-chat.ts'
import { openaiResponses } from '../../src/models/openai-responses.ts'
import { providerOf } from '../../src/models/provider.ts'

const SCHEMA = { type: 'object', properties: { id: { type: 'string' } } }
const CALL = { id: 'call_a', name: 'get_order', args: { id: 'ord_1' }, argsText: '{"id":"ord_1"}' }

it('reads a chat completion request', () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  const request = openaiChat.request(
    {
      model: 'gpt-4o',
      stream: true,
      temperature: 0,
      tool_choice: 'auto',
      messages: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'Be ' },
            { type: 'text', text: 'brief.' },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Where is it?' }, image] },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'Look it up.',
          tool_calls: [{ id: 'call_a', type: 'function', function: { name: 'get_order', arguments: '{"id":"ord_1"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'packed' },
        { role: 'assistant', content: 'It is packed.' },
      ],
      tools: [
        { type: 'function', function: { name: 'get_order', description: 'Finds an order.', parameters: SCHEMA, strict: true } },
        { type: 'custom', custom: { name: 'sql', format: { type: 'text' } } },
        { type: 'openrouter:web_search', parameters: { max_uses: 1 } },
      ],
    },
    'https://api.groq.com/openai/v1/chat/completions',
  )
  expect(request).toEqual({
    provider: 'groq',
    model: 'gpt-4o',
    stream: true,
    sampling: { temperature: 0, tool_choice: 'auto' },
    system: ['Be kind.', 'Be brief.'],
    messages: [
      { role: 'user', text: 'Where is it?', parts: [{ kind: 'image_url', value: image }] },
      { role: 'assistant', text: '', toolCalls: [CALL], parts: [{ kind: 'reasoning', value: 'Look it up.' }] },
      { role: 'tool', text: 'packed', toolResult: { id: 'call_a', text: 'packed' } },
      { role: 'assistant', text: 'It is packed.' },
    ],
    tools: [
      { name: 'get_order', description: 'Finds an order.', schema: SCHEMA, settings: { strict: true } },
      { name: 'sql', schema: { type: 'text' } },
      { name: 'openrouter:web_search', settings: { type: 'openrouter:web_search', parameters: { max_uses: 1 } } },
    ],
  })
})

it('reads the functions that came before tools', () => {
  const request = openaiChat.request(
    {
      model: 'gpt-3.5-turbo',
      functions: [{ name: 'get_order', parameters: SCHEMA }],
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'get_order', arguments: '' } },
        { role: 'function', name: 'get_order', content: 'packed' },
      ],
    },
    '/v1/chat/completions',
  )
  expect(request.tools).toEqual([{ name: 'get_order', schema: SCHEMA }])
  expect(request.messages).toEqual([
    { role: 'assistant', text: '', toolCalls: [{ name: 'get_order', args: {}, argsText: '' }] },
    { role: 'tool', text: 'packed', toolResult: { text: 'packed' } },
  ])
})

it('reads the model of an Azure request from its deployment where the body names none', () => {
  const url = 'https://x.openai.azure.com/openai/deployments/my-gpt/chat/completions?api-version=1'
  expect(openaiChat.request({ messages: [] }, url)).toMatchObject({ provider: 'azure', model: 'my-gpt', stream: false })
  expect(openaiChat.request({ model: 'gpt-4o', messages: [] }, url).model).toBe('gpt-4o')
})

it('reads a responses request, one message a turn of the assistant', () => {
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [] }
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
  const file = { type: 'input_file', file_id: 'file_1' }
  const request = openaiResponses.request(
    {
      model: 'gpt-4.1',
      instructions: 'Be kind.',
      reasoning: { effort: 'low' },
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'input_text', text: 'Where is it?' }, file] },
        reasoning,
        search,
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
        { type: 'function_call', id: 'fc_1', call_id: 'call_a', name: 'get_order', arguments: '{"id":"ord_1"}' },
        { type: 'shell_call', call_id: 'call_b', action: { commands: ['ls'] } },
        { type: 'function_call_output', call_id: 'call_a', output: [{ type: 'input_text', text: 'packed' }] },
        { type: 'shell_call_output', call_id: 'call_b', output: 'a.txt' },
        { role: 'assistant', content: 'It is packed.' },
        { role: 'user', content: 'Thanks' },
      ],
      tools: [
        { type: 'function', name: 'get_order', description: 'Finds an order.', parameters: SCHEMA, strict: true },
        { type: 'web_search' },
      ],
    },
    'https://api.openai.com/v1/responses',
  )
  expect(request).toEqual({
    provider: 'openai',
    model: 'gpt-4.1',
    stream: false,
    sampling: { reasoning: { effort: 'low' } },
    system: ['Be kind.', 'Be brief.'],
    messages: [
      { role: 'user', text: 'Where is it?', parts: [{ kind: 'input_file', value: file }] },
      {
        role: 'assistant',
        text: 'Let me look.',
        toolCalls: [CALL, { id: 'call_b', name: 'shell', args: { commands: ['ls'] } }],
        parts: [
          { kind: 'reasoning', value: reasoning },
          { kind: 'web_search_call', value: search },
        ],
      },
      { role: 'tool', text: 'packed', toolResult: { id: 'call_a', text: 'packed' } },
      { role: 'tool', text: 'a.txt', toolResult: { id: 'call_b', text: 'a.txt' } },
      { role: 'assistant', text: 'It is packed.' },
      { role: 'user', text: 'Thanks' },
    ],
    tools: [
      { name: 'get_order', description: 'Finds an order.', schema: SCHEMA, settings: { strict: true } },
      { name: 'web_search', settings: { type: 'web_search' } },
    ],
  })
})

it('keeps tool results and messages that are empty', () => {
  const input = [
    { type: 'function_call_output', call_id: 'x', output: '' },
    { role: 'user', content: '' },
  ]
  expect(openaiResponses.request({ input }, '').messages).toEqual([
    { role: 'tool', text: '', toolResult: { id: 'x', text: '' } },
    { role: 'user', text: '' },
  ])
  expect(
    anthropicMessages.request({ messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] }] }, '').messages,
  ).toEqual([{ role: 'tool', text: '', toolResult: { id: 'x', text: '' } }])
})

it('reads a messages request, its tool results as messages of their own', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
  const thinking = { type: 'thinking', thinking: 'Look it up.', signature: 's' }
  const server = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
  const request = anthropicMessages.request(
    {
      model: 'claude-sonnet-4-6',
      max_tokens: 100,
      stream: true,
      system: [
        { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [
        { role: 'user', content: 'Where is it?' },
        {
          role: 'assistant',
          content: [
            thinking,
            { type: 'text', text: 'Let me look.' },
            server,
            { type: 'tool_use', id: 'toolu_1', name: 'get_order', input: { id: 'ord_1' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: [{ type: 'text', text: 'timed out' }, image] },
            { type: 'text', text: 'And' },
            { type: 'text', text: ' now?' },
          ],
        },
        { role: 'system', content: 'Be quick.' },
      ],
      tools: [
        { name: 'get_order', description: 'Finds an order.', input_schema: SCHEMA, cache_control: { type: 'ephemeral' } },
        { type: 'code_execution_20260120', name: 'code_execution' },
      ],
    },
    'https://api.anthropic.com/v1/messages',
  )
  expect(request).toEqual({
    provider: 'anthropic',
    model: 'claude-sonnet-4-6',
    stream: true,
    sampling: { max_tokens: 100 },
    system: ['Be kind.', 'Be brief.', 'Be quick.'],
    messages: [
      { role: 'user', text: 'Where is it?' },
      {
        role: 'assistant',
        text: 'Let me look.',
        toolCalls: [{ id: 'toolu_1', name: 'get_order', args: { id: 'ord_1' } }],
        parts: [
          { kind: 'thinking', value: thinking },
          { kind: 'server_tool_use', value: server },
        ],
      },
      {
        role: 'tool',
        text: 'timed out',
        toolResult: { id: 'toolu_1', text: 'timed out', isError: true },
        parts: [{ kind: 'image', value: image }],
      },
      { role: 'user', text: 'And now?' },
    ],
    tools: [
      { name: 'get_order', description: 'Finds an order.', schema: SCHEMA, settings: { cache_control: { type: 'ephemeral' } } },
      { name: 'code_execution', settings: { type: 'code_execution_20260120' } },
    ],
  })
})

it.each([undefined, null, 7, 'text', [], {}])('reads %j as a request that says nothing', (json) => {
  const nothing = { provider: 'example.com', model: '', stream: false, sampling: {}, system: [], messages: [], tools: [] }
  for (const dialect of [openaiChat, openaiResponses, anthropicMessages])
    expect(dialect.request(json, 'https://example.com/v1')).toEqual(nothing)
})

it('keeps a piece that does not say what it is', () => {
  const piece = { url: 'https://example.com/a.png' }
  for (const dialect of [openaiChat, anthropicMessages])
    expect(dialect.request({ messages: [{ role: 'user', content: [piece] }] }, 'https://example.com/v1').messages).toEqual([
      { role: 'user', text: '', parts: [{ kind: 'unknown', value: piece }] },
    ])
})

it('keeps a field named __proto__ as data', () => {
  const { sampling } = openaiChat.request(JSON.parse('{"__proto__":{"polluted":true},"top_p":1}'), '/v1/chat/completions')
  expect(Object.keys(sampling)).toEqual(['__proto__', 'top_p'])
  expect(Reflect.get({}, 'polluted')).toBe(undefined)
  expect(sampling['polluted']).toBe(undefined)
})

it.each([
  ['https://api.openai.com/v1/chat/completions', 'openai'],
  ['https://eu.api.openai.com/v1/chat/completions', 'openai'],
  ['https://x.openai.azure.com/openai/v1/responses', 'azure'],
  ['https://us-central1-aiplatform.googleapis.com/v1/chat/completions', 'vertex'],
  ['https://notapi.openai.com.example.com/v1', 'notapi.openai.com.example.com'],
  ['http://127.0.0.1:4010/v1/chat/completions', '127.0.0.1'],
  ['/v1/chat/completions', ''],
])('names the provider of %s %j', (url, provider) => {
  expect(providerOf(url)).toBe(provider)
})
