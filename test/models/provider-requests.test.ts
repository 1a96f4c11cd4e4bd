import { expect, it } from 'vitest'
import { dialectNamed } from '../../src/models/dialects.ts'
import { renameToolCallIds } from '../../src/models/tool-call-ids.ts'
import type { Dialect, NormalRequest } from '../../src/models/dialect.ts'

const SCHEMA = { type: 'object', properties: { id: { type: 'string' } } }
const CALL = { id: 'x', name: 'get_order', args: { id: 'ord_1' } }

function named(name: string): Dialect {
  const dialect = dialectNamed(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  return dialect
}

it('reads a Gemini request, whatever the spelling of its fields', () => {
  const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
  const thought = { text: 'Look it up.', thought: true }
  const declared = { name: 'get_order', description: 'Finds an order.' }
  const contents = [
    { role: 'user', parts: [{ text: 'Where ' }, { text: 'is it?' }, image] },
    { role: 'model', parts: [thought, { functionCall: CALL, thoughtSignature: 'abc' }] },
    { role: 'user', parts: [{ functionResponse: { id: 'x', name: 'get_order', response: { status: 'packed' } } }, { text: 'And now?' }] },
  ]
  const camel = {
    systemInstruction: { parts: [{ text: 'Be kind.' }, { text: 'Be brief.' }] },
    contents,
    tools: [{ functionDeclarations: [{ ...declared, parametersJsonSchema: SCHEMA }] }, { googleSearch: { a: 1 } }],
    generationConfig: { temperature: 0 },
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  }
  const expected: NormalRequest = {
    provider: 'vertex',
    model: 'gemini-2.5-pro',
    stream: true,
    sampling: { temperature: 0, toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    system: ['Be kind.', 'Be brief.'],
    messages: [
      { role: 'user', text: 'Where is it?', parts: [{ kind: 'inlineData', value: image }] },
      { role: 'assistant', text: '', toolCalls: [CALL], parts: [{ kind: 'thought', value: thought }] },
      { role: 'tool', text: '{"status":"packed"}', toolResult: { id: 'x', text: '{"status":"packed"}' } },
      { role: 'user', text: 'And now?' },
    ],
    tools: [
      { name: 'get_order', description: 'Finds an order.', schema: SCHEMA },
      { name: 'googleSearch', settings: { a: 1 } },
    ],
  }
  const url =
    'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:streamGenerateContent'
  expect(named('gemini.content').request(camel, `${url}?alt=sse`)).toEqual(expected)
  const { systemInstruction, tools, generationConfig, ...rest } = camel
  const snake = {
    ...rest,
    system_instruction: systemInstruction,
    tools: [{ function_declarations: [{ ...declared, parameters_json_schema: SCHEMA }] }, tools[1]],
    generation_config: generationConfig,
  }
  expect(named('gemini.content').request(snake, url)).toEqual(expected)
})

it('reads a Converse request', () => {
  const document = { document: { name: 'a', format: 'txt', source: { bytes: 'AAAA' } } }
  const thought = { reasoningContent: { reasoningText: { text: 'Look it up.', signature: 's' } } }
  const body = {
    system: [{ text: 'Be kind.' }, { cachePoint: { type: 'default' } }],
    messages: [
      { role: 'user', content: [{ text: 'Where is it?' }, document] },
      {
        role: 'assistant',
        content: [thought, { text: 'Let me look.' }, { toolUse: { toolUseId: 'x', name: 'get_order', input: CALL.args } }],
      },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: 'x', content: [{ json: { a: 1 } }, { text: '!' }], status: 'error' } }, { text: 'And now?' }],
      },
    ],
    inferenceConfig: { maxTokens: 9 },
    toolConfig: {
      tools: [
        { toolSpec: { name: 'get_order', description: 'Finds an order.', inputSchema: { json: SCHEMA } } },
        { cachePoint: { type: 'default' } },
      ],
      toolChoice: { auto: {} },
    },
    additionalModelRequestFields: { thinking: { type: 'enabled' } },
  }
  expect(
    named('bedrock.converse').request(body, 'https://bedrock-runtime.us-east-1.amazonaws.com/model/amazon.nova-micro-v1%3A0/converse'),
  ).toEqual({
    provider: 'bedrock',
    model: 'amazon.nova-micro-v1:0',
    stream: false,
    sampling: { maxTokens: 9, toolChoice: { auto: {} }, additionalModelRequestFields: { thinking: { type: 'enabled' } } },
    system: ['Be kind.'],
    messages: [
      { role: 'user', text: 'Where is it?', parts: [{ kind: 'document', value: document }] },
      { role: 'assistant', text: 'Let me look.', toolCalls: [CALL], parts: [{ kind: 'reasoningContent', value: thought }] },
      { role: 'tool', text: '{"a":1}!', toolResult: { id: 'x', text: '{"a":1}!', isError: true } },
      { role: 'user', text: 'And now?' },
    ],
    tools: [{ name: 'get_order', description: 'Finds an order.', schema: SCHEMA }],
  })
})

it.each([
  [
    'Claude',
    { anthropic_version: 'bedrock-2023-05-31', system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }], top_k: 3 },
    { anthropic_version: 'bedrock-2023-05-31', top_k: 3 },
  ],
  [
    'Nova',
    { system: [{ text: 'Be kind.' }], messages: [{ role: 'user', content: [{ text: 'Hi' }] }], inferenceConfig: { top_k: 3 } },
    { top_k: 3 },
  ],
  [
    'others',
    {
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Hi' },
      ],
      top_k: 3,
    },
    { top_k: 3 },
  ],
])('reads the body of an invoked model as it is for %s', (_, body, sampling) => {
  const model = 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude'
  const url = `https://bedrock-runtime.us-east-1.amazonaws.com/model/${encodeURIComponent(model)}/invoke-with-response-stream`
  const messages = [{ role: 'user', text: 'Hi' }]
  expect(named('bedrock.invoke').request(body, url)).toEqual({
    provider: 'bedrock',
    model,
    stream: true,
    sampling,
    system: ['Be kind.'],
    messages,
    tools: [],
  })
})

it('reads a request to Claude on Vertex, whose address names the model and the stream', () => {
  const url = 'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4@20250514'
  const body = { anthropic_version: 'vertex-2023-10-16', messages: [{ role: 'user', content: 'Hi' }] }
  const request = (method: string): unknown => named('anthropic.messages').request(body, `${url}:${method}`)
  expect(request('rawPredict')).toMatchObject({ provider: 'vertex', model: 'claude-sonnet-4@20250514', stream: false })
  expect(request('streamRawPredict')).toMatchObject({ provider: 'vertex', model: 'claude-sonnet-4@20250514', stream: true })
})

it('reads a Cohere request', () => {
  const calls = [{ id: 'x', type: 'function', function: { name: 'get_order', arguments: '{"id":"ord_1"}' } }]
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: [{ type: 'text', text: 'Where is it?' }] },
    { role: 'assistant', tool_plan: 'Look it up.', tool_calls: calls },
    { role: 'tool', tool_call_id: 'x', content: [{ type: 'document', document: { data: { status: 'packed' } } }] },
  ]
  const body = { model: 'command-a', stream: false, messages, p: 0.5, documents: ['a'] }
  expect(named('cohere.chat').request(body, 'https://api.cohere.com/v2/chat')).toEqual({
    provider: 'cohere',
    model: 'command-a',
    stream: false,
    sampling: { p: 0.5, documents: ['a'] },
    system: ['Be kind.'],
    messages: [
      { role: 'user', text: 'Where is it?' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ ...CALL, argsText: '{"id":"ord_1"}' }],
        parts: [{ kind: 'reasoning', value: 'Look it up.' }],
      },
      { role: 'tool', text: '{"status":"packed"}', toolResult: { id: 'x', text: '{"status":"packed"}' } },
    ],
    tools: [],
  })
})

it('reads an Ollama request, which is for a stream unless it says otherwise', () => {
  const messages = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'What is this?', images: ['AAAA'] },
    { role: 'assistant', content: '', thinking: 'Hm.', tool_calls: [{ function: { name: 'get_order', arguments: { id: 'ord_1' } } }] },
    { role: 'tool', tool_name: 'get_order', content: 'packed' },
  ]
  const request = named('ollama.chat').request(
    { model: 'llama3.1', messages, options: { temperature: 0 }, format: 'json' },
    'http://ollama:11434/api/chat',
  )
  expect(request).toEqual({
    provider: 'ollama',
    model: 'llama3.1',
    stream: true,
    sampling: { temperature: 0, format: 'json' },
    system: ['Be kind.'],
    messages: [
      { role: 'user', text: 'What is this?', parts: [{ kind: 'image', value: { type: 'image', image: 'AAAA' } }] },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ name: 'get_order', args: { id: 'ord_1' } }],
        parts: [{ kind: 'reasoning', value: 'Hm.' }],
      },
      { role: 'tool', text: 'packed', toolResult: { text: 'packed' } },
    ],
    tools: [],
  })
  expect(named('ollama.chat').request({ stream: false }, '').stream).toBe(false)
})

const conversations: readonly (readonly [dialect: string, body: (first: string, second: string) => object])[] = [
  [
    'gemini.content',
    (first, second) => ({
      contents: [
        {
          role: 'model',
          parts: [{ functionCall: { id: first, name: 'f' } }, { functionCall: { id: second, name: 'f' } }, { functionCall: { name: 'f' } }],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: second, name: 'f' } }, { functionResponse: { id: first, name: 'f' } }, { text: first }],
        },
      ],
    }),
  ],
  [
    'bedrock.converse',
    (first, second) => ({
      messages: [
        { role: 'assistant', content: [{ toolUse: { toolUseId: first, name: 'f' } }, { toolUse: { toolUseId: second, name: 'f' } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: second } }, { toolResult: { toolUseId: first } }] },
      ],
    }),
  ],
  [
    'bedrock.invoke',
    (first, second) => ({
      anthropic_version: 'bedrock-2023-05-31',
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: first },
            { type: 'tool_use', id: second },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: second },
            { type: 'tool_result', tool_use_id: first },
          ],
        },
      ],
    }),
  ],
  [
    'cohere.chat',
    (first, second) => ({
      messages: [
        { role: 'assistant', tool_calls: [{ id: first }, { id: second }] },
        { role: 'tool', tool_call_id: second },
        { role: 'tool', tool_call_id: first },
      ],
    }),
  ],
]

it.each(conversations)('makes requests equal that differ in the ids of tool calls alone (%s)', (name, body) => {
  const dialect = named(name)
  const renamed = JSON.stringify(renameToolCallIds(body('a1', 'b2'), dialect)).replaceAll('"text":"a1"', '"text":"call_1"')
  expect(renamed).toBe(JSON.stringify(body('call_1', 'call_2')))
  expect(renameToolCallIds(body('x', 'x'), dialect)).not.toEqual(body('x', 'x'))
})

it.each(['gemini.content', 'bedrock.converse', 'bedrock.invoke', 'cohere.chat', 'ollama.chat'])(
  'leaves what is no request as it is (%s)',
  (name) => {
    for (const json of [
      undefined,
      null,
      'text',
      [],
      { messages: 'text' },
      { contents: [null, { parts: [1] }], messages: [null, { content: [null] }] },
    ])
      expect(renameToolCallIds(json, named(name))).toEqual(json)
  },
)
