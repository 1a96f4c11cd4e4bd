import { EventStreamCodec } from '@smithy/core/event-streams'
import { expect, it } from 'vitest'
import type { NormalAnswer } from '../../src/models/dialect.ts'
import { dialectNamed } from '../../src/models/dialects.ts'
import type { HttpBody } from '../../src/trace/rows.ts'

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
)

function frame(payload: object, headers: Record<string, string>): Buffer {
  const typed = Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }] as const)
  return Buffer.from(codec.encode({ headers: Object.fromEntries(typed), body: Buffer.from(JSON.stringify(payload)) }))
}

const event = (type: string, payload: object): Buffer => frame(payload, { ':message-type': 'event', ':event-type': type })
const chunk = (own: object): Buffer => event('chunk', { bytes: Buffer.from(JSON.stringify(own)).toString('base64') })
const bytes = (...frames: Buffer[]): HttpBody => ({ bytes: new Uint8Array(Buffer.concat(frames)) })
const sse = (...list: object[]): HttpBody => ({ text: list.map((data) => `data: ${JSON.stringify(data)}\r\n\r\n`).join('') })

const gemini = (text: string, rest: object = {}): object => ({ candidates: [{ content: { parts: [{ text }] }, ...rest }] })
const delta = event('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'hel' } })

type Case = readonly [what: string, dialect: string, body: HttpBody, answer: Partial<NormalAnswer>]

const cases: readonly Case[] = [
  [
    'the elements of an array',
    'gemini.content',
    { text: `[${JSON.stringify(gemini('a'), null, 2)}\n,\r\n${JSON.stringify(gemini('b', { finishReason: 'STOP' }), null, 2)}\n]` },
    { text: 'ab', stopReason: 'end' },
  ],
  ['an array that was recorded as JSON', 'gemini.content', { json: [gemini('a'), gemini('b')] }, { text: 'ab' }],
  [
    'the whole elements of an array that was cut',
    'gemini.content',
    { text: `[${JSON.stringify(gemini('a ] } \\" {'))}\n,\r\n${JSON.stringify(gemini('b')).slice(0, -3)}` },
    { text: 'a ] } \\" {' },
  ],
  [
    'the error in an array',
    'gemini.content',
    { json: [{ error: { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED' } }] },
    { error: { type: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded.', code: 429 } },
  ],
  ['a prompt that was blocked', 'gemini.content', { json: { promptFeedback: { blockReason: 'SAFETY' } } }, { stopReason: 'refused' }],
  [
    'an answer that a filter ended',
    'gemini.content',
    sse(gemini('a'), gemini('', { finishReason: 'SAFETY' })),
    { text: 'a', stopReason: 'refused' },
  ],
  [
    'a reason nobody knows',
    'gemini.content',
    { json: gemini('a', { finishReason: 'MALFORMED_FUNCTION_CALL' }) },
    { text: 'a', stopReason: 'other' },
  ],
  [
    'an error in a stream',
    'gemini.content',
    sse(gemini('a'), { error: { code: 503, message: 'Overloaded.', status: 'UNAVAILABLE' } }),
    {
      text: 'a',
      error: { type: 'UNAVAILABLE', message: 'Overloaded.', code: 503 },
    },
  ],
  [
    'an exception in a stream',
    'bedrock.converse',
    bytes(delta, frame({ message: 'Slow down.' }, { ':message-type': 'exception', ':exception-type': 'throttlingException' })),
    { text: 'hel', error: { type: 'throttlingException', message: 'Slow down.' } },
  ],
  [
    'an error of the transport in a stream',
    'bedrock.converse',
    bytes(delta, frame({}, { ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'Lost.' })),
    { text: 'hel', error: { type: 'InternalError', message: 'Lost.' } },
  ],
  ['a frame that was cut', 'bedrock.converse', bytes(delta, delta.subarray(0, 30)), { text: 'hel' }],
  ['a length that was cut', 'bedrock.converse', bytes(delta, delta.subarray(0, 3)), { text: 'hel' }],
  [
    'a frame whose bytes were changed',
    'bedrock.converse',
    bytes(delta, Buffer.from(delta.map((byte, index) => (index === delta.length - 6 ? 0 : byte)))),
    { text: 'hel', error: { type: 'unreadable', message: expect.stringContaining('checksum') } },
  ],
  [
    'an error answered to a stream',
    'bedrock.converse',
    { json: { message: 'The model is not ready.' } },
    { error: { message: 'The model is not ready.' } },
  ],
  [
    'an error with its type',
    'bedrock.invoke',
    { json: { __type: 'ValidationException', Message: 'Bad.' } },
    { error: { type: 'ValidationException', message: 'Bad.' } },
  ],
  [
    'usage that counts the cache apart',
    'bedrock.converse',
    {
      json: {
        output: { message: { content: [{ text: 'a' }] } },
        stopReason: 'guardrail_intervened',
        usage: { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 30, cacheWriteInputTokens: 400 },
      },
    },
    { text: 'a', stopReason: 'refused', usage: { inputTokens: 431, outputTokens: 2, cacheReadTokens: 30, cacheWriteTokens: 400 } },
  ],
  [
    'the stream of an invoked model that answers with chat completions',
    'bedrock.invoke',
    bytes(
      chunk({ choices: [{ index: 0, delta: { content: 'a' } }] }),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] }),
    ),
    { text: 'a', stopReason: 'length' },
  ],
  [
    'an exception in the stream of an invoked model',
    'bedrock.invoke',
    bytes(
      chunk({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } }),
      frame({ message: 'Slow down.' }, { ':message-type': 'exception', ':exception-type': 'throttlingException' }),
    ),
    { text: 'a', error: { type: 'throttlingException', message: 'Slow down.' } },
  ],
  ['an error', 'cohere.chat', { json: { id: '1', message: 'invalid api token' } }, { error: { message: 'invalid api token' } }],
  [
    'thoughts and text of a whole answer',
    'cohere.chat',
    {
      json: {
        message: {
          content: [
            { type: 'thinking', thinking: 'so' },
            { type: 'text', text: 'a' },
          ],
        },
        finish_reason: 'MAX_TOKENS',
        usage: { billed_units: { input_tokens: 1, output_tokens: 2 } },
      },
    },
    { text: 'a', reasoning: 'so', stopReason: 'length', usage: { inputTokens: 1, outputTokens: 2 } },
  ],
  [
    'an error at the end of a stream',
    'cohere.chat',
    sse(
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'a' } } } },
      { type: 'message-end', delta: { finish_reason: 'ERROR', error: 'Lost.' } },
    ),
    { text: 'a', stopReason: 'other', error: { message: 'Lost.' } },
  ],
  [
    'an error line of a stream',
    'ollama.chat',
    { text: '{"message":{"content":"a"}}\n{"error":"out of memory"}\n' },
    { text: 'a', error: { message: 'out of memory' } },
  ],
  ['a stream whose last line was cut', 'ollama.chat', { text: '{"message":{"content":"a"}}\n{"message":{"con' }, { text: 'a' }],
  [
    'tool calls that end a stream',
    'ollama.chat',
    {
      text: '{"message":{"content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":false}\n{"message":{"content":""},"done":true,"done_reason":"stop"}\n',
    },
    { toolCalls: [{ name: 'f', args: { a: 1 } }], stopReason: 'tool-calls' },
  ],
  [
    'the usage of Groq',
    'openai.chat',
    sse({ choices: [], x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } }),
    { usage: { inputTokens: 3, outputTokens: 4 } },
  ],
  [
    "the cache of DeepSeek's",
    'openai.chat',
    { json: { choices: [], usage: { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 1 } } },
    { usage: { inputTokens: 9, outputTokens: 1, cacheReadTokens: 8 } },
  ],
  [
    'reasoning that xAI counts apart',
    'openai.chat',
    {
      json: {
        choices: [],
        usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 30, completion_tokens_details: { reasoning_tokens: 20 } },
      },
    },
    { usage: { inputTokens: 9, outputTokens: 21, reasoningTokens: 20 } },
  ],
  [
    'an error of xAI',
    'openai.chat',
    { json: { code: 'invalid', error: 'Incorrect API key.' } },
    { error: { message: 'Incorrect API key.', code: 'invalid' } },
  ],
  [
    'an error of Cerebras',
    'openai.chat',
    { json: { message: 'No such model.', type: 'not_found_error', code: 'model_not_found' } },
    { error: { type: 'not_found_error', message: 'No such model.', code: 'model_not_found' } },
  ],
]

it.each(cases)('reads %s (%s)', (_, name, body, answer) => {
  expect(dialectNamed(name)?.answer(body, undefined)).toEqual({ text: '', toolCalls: [], ...answer })
})

const names = ['gemini.content', 'bedrock.converse', 'bedrock.invoke', 'cohere.chat', 'ollama.chat']

it.each(names)('says what it cannot read of an answer (%s)', (name) => {
  const errorOf = (body: HttpBody): unknown => dialectNamed(name)?.answer(body, undefined).error
  expect(errorOf({ text: '<html>502 Bad Gateway</html>' })).toEqual({ type: 'unreadable', message: '<html>502 Bad Gateway</html>' })
  expect(errorOf({ text: '{"candidates": [' })).toEqual({ type: 'unreadable', message: '{"candidates": [' })
  expect(errorOf({ json: { detail: 'Not Found' } })).toEqual({ type: 'unreadable', message: '{"detail":"Not Found"}' })
  expect(errorOf({})).toEqual({ type: 'unreadable', message: 'The answer has no body.' })
})

it('never throws, whatever an answer or a request holds', () => {
  const values = [null, 1, 'text', '', [], {}, [null], [[]], [{}], { parts: [null, 1] }, { content: null }, { index: 0, text: 1 }]
  const fields =
    'candidates content parts functionCall usageMetadata promptFeedback output message stopReason usage contentBlockDelta'.split(' ')
  const others =
    'contentBlockStart chunk metadata delta tool_calls type error choices messages contents tools system toolConfig model'.split(' ')
  let count = 0
  for (const name of names) {
    for (const field of [...fields, ...others]) {
      for (const value of values) {
        for (const body of [
          { [field]: value },
          { candidates: [{ content: { [field]: value } }] },
          { message: { [field]: value } },
          { messages: [{ [field]: value }], contents: [{ [field]: value }] },
        ]) {
          const dialect = dialectNamed(name)
          const answer = dialect?.answer({ json: [body, body] }, undefined)
          expect([typeof answer?.text, Array.isArray(answer?.toolCalls)]).toEqual(['string', true])
          expect(Array.isArray(dialect?.request(body, '/x').messages)).toBe(true)
          expect(typeof dialect?.renameToolCalls(body, (_, id) => id)).toBe('object')
          expect(dialect?.respond('a', body, 'http://x/y').status).toBe(200)
          count += 1
        }
      }
    }
  }
  expect(count).toBe(names.length * (fields.length + others.length) * values.length * 4)
})
