import { expect, it } from 'vitest'
import { anthropicMessages } from '../../src/models/anthropic-messages.ts'
import type { Dialect, NormalAnswer } from '../../src/models/dialect.ts'
import { openaiChat } from '../../src/models/openai-chat.ts'
import { openaiResponses } from '../../src/models/openai-responses.ts'

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
const delta = (fields: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })
const piece = (call: unknown): string => delta({ tool_calls: [call] })
const stream = (...events: unknown[]): string => events.map((each) => (typeof each === 'string' ? each : event(each))).join('')

type Case = readonly [what: string, dialect: Dialect, body: string | object, answer: Partial<NormalAnswer>]

const cases: readonly Case[] = [
  [
    'the first of several choices',
    openaiChat,
    {
      choices: [
        { index: 1, message: { content: 'b' } },
        { index: 0, message: { content: 'a' } },
      ],
    },
    { text: 'a' },
  ],
  [
    'only the first choice of a stream',
    openaiChat,
    stream(delta({ content: 'a' }), { choices: [{ index: 1, delta: { content: 'b' } }] }, delta({ content: 'c' }, 'length')),
    { text: 'ac', stopReason: 'length' },
  ],
  [
    'parallel tool calls whose pieces interleave',
    openaiChat,
    stream(
      piece({ index: 0, id: 'x', function: { name: 'f', arguments: '' } }),
      piece({ index: 1, id: 'y', function: { name: 'g', arguments: '{"b"' } }),
      piece({ index: 0, function: { arguments: '{"a":1}' } }),
      piece({ index: 1, function: { arguments: ':2}' } }),
      delta({}, 'tool_calls'),
    ),
    {
      toolCalls: [
        { id: 'x', name: 'f', args: { a: 1 }, argsText: '{"a":1}' },
        { id: 'y', name: 'g', args: { b: 2 }, argsText: '{"b":2}' },
      ],
      stopReason: 'tool-calls',
    },
  ],
  [
    'whole tool calls that all have the index 0',
    openaiChat,
    stream(
      piece({ index: 0, id: 'x', function: { name: 'f', arguments: '{}' } }),
      piece({ index: 0, id: 'y', function: { name: 'f', arguments: '{}' } }),
    ),
    {
      toolCalls: [
        { id: 'x', name: 'f', args: {}, argsText: '{}' },
        { id: 'y', name: 'f', args: {}, argsText: '{}' },
      ],
    },
  ],
  [
    'whole tool calls without an index, and parsed arguments',
    openaiChat,
    stream(
      delta({
        tool_calls: [
          { id: 'x', function: { name: 'f', arguments: '{}' } },
          { id: 'y', function: { name: 'g', arguments: { a: 1 } } },
        ],
      }),
    ),
    {
      toolCalls: [
        { id: 'x', name: 'f', args: {}, argsText: '{}' },
        { id: 'y', name: 'g', args: { a: 1 } },
      ],
    },
  ],
  [
    'a tool call whose id and name come with every piece',
    openaiChat,
    stream(
      piece({ index: 0, id: 'x', function: { name: 'f', arguments: '{"a"' } }),
      piece({ index: 0, id: 'x', function: { name: 'f', arguments: ':1}' } }),
    ),
    { toolCalls: [{ id: 'x', name: 'f', args: { a: 1 }, argsText: '{"a":1}' }] },
  ],
  [
    'a custom tool in pieces',
    openaiChat,
    stream(
      piece({ index: 0, id: 'x', type: 'custom', custom: { name: 'sql', input: 'select' } }),
      piece({ index: 0, custom: { input: ' 1' } }),
    ),
    { toolCalls: [{ id: 'x', name: 'sql', args: 'select 1', argsText: 'select 1' }] },
  ],
  [
    'a function call, as it was before tool calls',
    openaiChat,
    stream(delta({ function_call: { name: 'f', arguments: '{"a"' } }), delta({ function_call: { arguments: ':1}' } }, 'function_call')),
    { toolCalls: [{ name: 'f', args: { a: 1 }, argsText: '{"a":1}' }], stopReason: 'tool-calls' },
  ],
  [
    'two tool calls of one name without ids',
    openaiChat,
    { choices: [{ message: { tool_calls: [{ function: { name: 'f', arguments: '' } }, { function: { name: 'f', arguments: '{"a' } }] } }] },
    {
      toolCalls: [
        { name: 'f', args: {}, argsText: '' },
        { name: 'f', args: '{"a', argsText: '{"a' },
      ],
    },
  ],
  [
    'reasoning and text in parts, as Mistral answers',
    openaiChat,
    {
      choices: [
        {
          message: {
            content: [
              { type: 'thinking', thinking: [{ type: 'text', text: 'so' }] },
              { type: 'text', text: 'yes' },
            ],
          },
        },
      ],
    },
    { text: 'yes', reasoning: 'so' },
  ],
  [
    'a refusal',
    openaiChat,
    { choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'content_filter' }] },
    { refusal: 'No.', stopReason: 'refused' },
  ],
  [
    'a word for stopping that nobody knows',
    openaiChat,
    { choices: [{ message: { content: 'a' }, finish_reason: 'tired' }] },
    { text: 'a', stopReason: 'other' },
  ],
  [
    'the usage of the last chunk, with its details',
    openaiChat,
    stream({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }, delta({ content: 'a' }), {
      choices: [],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 8,
        prompt_tokens_details: { cached_tokens: 7 },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
    }),
    { text: 'a', usage: { inputTokens: 9, outputTokens: 8, cacheReadTokens: 7, reasoningTokens: 6 } },
  ],
  [
    'an error in the middle of a stream',
    openaiChat,
    stream(delta({ content: 'a' }), 'event: error\ndata: {"error":{"message":"Down.","type":"server_error","code":500}}\n\n'),
    { text: 'a', error: { type: 'server_error', message: 'Down.', code: 500 } },
  ],
  ['an error that is only text', openaiChat, { error: 'model not found' }, { error: { message: 'model not found' } }],
  [
    'an error without an envelope',
    openaiChat,
    { object: 'error', message: 'Bad.', code: 3051 },
    { error: { message: 'Bad.', code: 3051 } },
  ],
  ['an event that is not JSON', openaiChat, 'data: {"choices"\n\n', { error: { type: 'unreadable', message: '{"choices"' } }],
  ['events that are of no chat', openaiChat, stream({ hello: 1 }), { error: { type: 'unreadable', message: '{"hello":1}' } }],
  ['an event cut in its middle', openaiChat, `${delta({ content: 'a' })}data: {"choices":[{"ind`, { text: 'a' }],
  [
    'comments, carriage returns and no space after the colon',
    openaiChat,
    ': hi\r\n\r\ndata:{"choices":[{"delta":{"content":"a"}}]}\r\n\r\ndata: [DONE]\r\n\r\n',
    { text: 'a' },
  ],
  [
    'a message item, a refusal, a summary and a custom tool',
    openaiResponses,
    {
      object: 'response',
      status: 'completed',
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'so' }] },
        {
          type: 'message',
          content: [
            { type: 'output_text', text: 'a' },
            { type: 'refusal', refusal: 'No.' },
          ],
        },
        { type: 'custom_tool_call', call_id: 'x', name: 'sql', input: '{"a":1}' },
        { type: 'mcp_call', id: 'mcp_1', name: 'search', arguments: '{}' },
        { type: 'apply_patch_call', call_id: 'y', operation: { type: 'delete_file', path: 'a' } },
      ],
    },
    {
      text: 'a',
      reasoning: 'so',
      refusal: 'No.',
      toolCalls: [
        { id: 'x', name: 'sql', args: '{"a":1}', argsText: '{"a":1}' },
        { id: 'y', name: 'apply_patch', args: { type: 'delete_file', path: 'a' } },
      ],
      stopReason: 'tool-calls',
    },
  ],
  [
    'a response that ran out of tokens',
    openaiResponses,
    { object: 'response', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] },
    { stopReason: 'length' },
  ],
  [
    'a response that failed in its stream',
    openaiResponses,
    stream({
      type: 'response.failed',
      response: { object: 'response', status: 'failed', error: { code: 'server_error', message: 'Down.' }, output: [] },
    }),
    { error: { message: 'Down.', code: 'server_error' } },
  ],
  [
    'an error event of a responses stream',
    openaiResponses,
    stream(
      { type: 'response.output_text.delta', output_index: 0, delta: 'lost' },
      { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.' },
    ),
    { error: { message: 'Slow down.', code: 'rate_limit_exceeded' } },
  ],
  [
    'what arrived of a responses stream',
    openaiResponses,
    stream(
      { type: 'response.created', response: { object: 'response', model: 'm', status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', call_id: 'x', name: 'f', arguments: '' } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', content: [] } },
      { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"a' },
      { type: 'response.output_text.delta', output_index: 0, delta: 'hel' },
    ),
    { model: 'm', text: 'hel', toolCalls: [{ id: 'x', name: 'f', args: '{"a', argsText: '{"a' }] },
  ],
  [
    'items of a responses stream by their place, not by their arrival',
    openaiResponses,
    stream(
      { type: 'response.output_item.done', output_index: 1, item: { type: 'function_call', call_id: 'y', name: 'g', arguments: '' } },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'function_call', call_id: 'x', name: 'f', arguments: '' } },
    ),
    {
      toolCalls: [
        { id: 'x', name: 'f', args: {}, argsText: '' },
        { id: 'y', name: 'g', args: {}, argsText: '' },
      ],
    },
  ],
  [
    'usage that counts the cache apart, and thinking',
    anthropicMessages,
    {
      content: [
        { type: 'thinking', thinking: 'so' },
        { type: 'text', text: 'a' },
      ],
      stop_reason: 'stop_sequence',
      usage: {
        input_tokens: 1,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 300,
        output_tokens: 5,
        output_tokens_details: { thinking_tokens: 4 },
      },
    },
    {
      text: 'a',
      reasoning: 'so',
      stopReason: 'end',
      usage: { inputTokens: 321, outputTokens: 5, cacheReadTokens: 20, cacheWriteTokens: 300, reasoningTokens: 4 },
    },
  ],
  [
    'blocks whose deltas interleave, and a tool without input',
    anthropicMessages,
    stream(
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'x', name: 'f', input: {} } },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'y', name: 'g', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"b":' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '2}' } },
      { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 3 } },
    ),
    {
      toolCalls: [
        { id: 'x', name: 'f', args: {} },
        { id: 'y', name: 'g', args: { b: 2 }, argsText: '{"b":2}' },
      ],
      stopReason: 'paused',
      usage: { inputTokens: 0, outputTokens: 3 },
    },
  ],
  [
    'an error event of a messages stream',
    anthropicMessages,
    stream(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hel' } },
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    ),
    { text: 'hel', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ],
  ...[openaiChat, openaiResponses, anthropicMessages].flatMap((dialect): Case[] => [
    [
      'a page of a gateway',
      dialect,
      '<html>502 Bad Gateway</html>',
      { error: { type: 'unreadable', message: '<html>502 Bad Gateway</html>' } },
    ],
    ['JSON that is cut', dialect, '{"choices": [', { error: { type: 'unreadable', message: '{"choices": [' } }],
    ['JSON of something else', dialect, { detail: 'Not Found' }, { error: { type: 'unreadable', message: '{"detail":"Not Found"}' } }],
    ['a long text', dialect, 'x'.repeat(500), { error: { type: 'unreadable', message: `${'x'.repeat(200)}…` } }],
    ['nothing', dialect, '', { error: { type: 'unreadable', message: 'The answer has no body.' } }],
  ]),
]

it.each(cases.map(([what, dialect, ...rest]) => [`${what} (${dialect.name})`, dialect, ...rest] as const))(
  'reads %s',
  (_, dialect, body, answer) => {
    const given = typeof body === 'string' ? { text: body } : { json: body }
    expect(dialect.answer(given, undefined)).toEqual({ text: '', toolCalls: [], ...answer })
  },
)

it.each([openaiChat, openaiResponses, anthropicMessages])(
  'reads the stream of which nothing has come as an unfinished answer ($name)',
  (dialect) => {
    expect(dialect.answer({ text: '' }, 'text/event-stream')).toEqual({ text: '', toolCalls: [] })
  },
)

it('reads an error as JSON under the content type of a stream', () => {
  const answer = openaiChat.answer({ text: ' {"error":{"message":"Bad key."}}' }, 'text/event-stream')
  expect(answer).toEqual({ text: '', toolCalls: [], error: { message: 'Bad key.' } })
})

it('never throws, whatever a body holds', () => {
  const values = [
    null,
    1,
    'text',
    [],
    {},
    [null],
    [[]],
    [{}],
    { type: 'error' },
    { index: 0 },
    { text: 1 },
    { function: null },
    { id: 2, function: 'x' },
  ]
  const fields = [
    'choices',
    'message',
    'delta',
    'content',
    'tool_calls',
    'output',
    'usage',
    'error',
    'response',
    'item',
    'content_block',
    'finish_reason',
  ]
  let count = 0
  for (const field of fields) {
    for (const value of values) {
      const bodies = [
        { [field]: value },
        { choices: [{ message: { [field]: value }, delta: { [field]: value } }] },
        { output: [{ type: 'message', [field]: value }] },
      ]
      for (const body of [
        ...bodies,
        { type: 'content_block_delta', index: 0, delta: { [field]: value } },
        { content: [{ type: 'tool_use', [field]: value }] },
      ]) {
        for (const dialect of [openaiChat, openaiResponses, anthropicMessages]) {
          for (const given of [{ json: body }, { text: event(body) }]) {
            const answer = dialect.answer(given, undefined)
            expect({ body, text: typeof answer.text, toolCalls: Array.isArray(answer.toolCalls) }).toEqual({
              body,
              text: 'string',
              toolCalls: true,
            })
            count++
          }
        }
      }
    }
  }
  expect(count).toBe(fields.length * values.length * 5 * 3 * 2)
})
