import { expect, it } from 'vitest'
import { canonicalInput } from '../../src/divergence/canonical-input.ts'
import { StandInRenaming } from '../../src/divergence/stand-ins.ts'
import type { Boundary } from '../../src/trace/boundary.ts'

type Same = readonly [what: string, boundary: Boundary, name: string, one: unknown, other: unknown]

const http = (fields: object): object => ({ method: 'POST', url: 'https://api.example.com/v1/refunds', headers: [], ...fields })
const chat = (messages: unknown, fields: object = {}): object => ({
  method: 'POST',
  url: 'https://api.openai.com/v1/chat/completions',
  headers: [['content-type', 'application/json']],
  json: { model: 'gpt-4.1', messages },
  ...fields,
})
const form = (boundary: string, file: string): object =>
  http({
    headers: [['content-type', `multipart/form-data; boundary=${boundary}`]],
    text: `--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n${file}\r\n--${boundary}--\r\n`,
  })
const binaryForm = (boundary: string): object =>
  http({
    headers: [['content-type', `multipart/form-data; boundary="${boundary}"`]],
    bytes: { $: { bytes: btoa(`--${boundary}\r\n\r\n\u00ff\u0000\r\n--${boundary}--`) } },
  })
const asked = (id: string): object => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
})
const told = (id: string): object => ({ role: 'tool', tool_call_id: id, content: 'ok' })

const same: readonly Same[] = [
  ['arguments in another order of keys', 'tool', 'f', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  [
    'headers in another order',
    'http',
    'h',
    http({
      headers: [
        ['a-version', '1'],
        ['b-beta', '2'],
      ],
    }),
    http({
      headers: [
        ['b-beta', '2'],
        ['a-version', '1'],
      ],
    }),
  ],
  [
    'a model call through a gateway',
    'model',
    'openai.chat',
    chat([]),
    chat([], { url: 'http://gateway.internal/openai/v1/chat/completions' }),
  ],
  ['other ids of tool calls', 'model', 'openai.chat', chat([asked('call_x'), told('call_x')]), chat([asked('call_y'), told('call_y')])],
  ['another multipart boundary', 'http', 'h', form('x1', 'hello'), form('y2', 'hello')],
  ['another multipart boundary around bytes', 'http', 'h', binaryForm('x1'), binaryForm('y2')],
  [
    'stand-ins that are numbered otherwise',
    'tool',
    'f',
    { a: 'sk-REDACTED0001', b: 'x REDACTED0007', c: 'sk-REDACTED0001' },
    { a: 'sk-REDACTED0004', b: 'x REDACTED0001', c: 'sk-REDACTED0004' },
  ],
  ['stand-ins of another length', 'tool', 'f', { key: 'sk-REDACTED000000000003' }, { key: 'sk-REDACTED0003' }],
]

const different: readonly Same[] = [
  ['another value', 'tool', 'f', { amount: 20 }, { amount: 25 }],
  ['a number as text', 'tool', 'f', { amount: 20 }, { amount: '20' }],
  ['null and nothing', 'tool', 'f', { amount: null }, {}],
  ['items in another order', 'tool', 'f', [1, 2], [2, 1]],
  ['a date and its text', 'tool', 'f', { $: { date: '2026-01-31T08:00:00.000Z' } }, '2026-01-31T08:00:00.000Z'],
  ['another host of a plain call', 'http', 'h', http({}), http({ url: 'https://other.example.com/v1/refunds' })],
  ['another method', 'http', 'h', http({}), http({ method: 'PUT' })],
  ['a body and none', 'http', 'h', http({}), http({ json: null })],
  ['JSON and its text', 'http', 'h', http({ json: { a: 1 } }), http({ text: '{"a":1}' })],
  ['another file in a form', 'http', 'h', form('x1', 'hello'), form('y2', 'hullo')],
  ['another header of a model call', 'model', 'openai.chat', chat([]), chat([], { headers: [['openai-beta', 'x']] })],
  ['another deployment in the URL', 'model', 'openai.chat', azure('gpt-4'), azure('gpt-5')],
  [
    'a tool result for another call',
    'model',
    'openai.chat',
    chat([asked('a'), asked('b'), told('a')]),
    chat([asked('a'), asked('b'), told('b')]),
  ],
  ['one secret twice and two secrets', 'tool', 'f', ['REDACTED0001', 'REDACTED0001'], ['REDACTED0001', 'REDACTED0002']],
  [
    'two secrets changed about',
    'tool',
    'f',
    ['REDACTED0001', 'REDACTED0002', 'REDACTED0001'],
    ['REDACTED0001', 'REDACTED0002', 'REDACTED0002'],
  ],
  ['another prefix of a secret', 'tool', 'f', 'sk-live-REDACTED0001', 'sk-test-REDACTED0001'],
]

function azure(deployment: string): object {
  return {
    method: 'POST',
    url: `https://x.azure.com/openai/deployments/${deployment}/chat/completions`,
    headers: [],
    json: { messages: [] },
  }
}

/** Their stand-ins are variables. */
function areEqual(one: string, other: string): boolean {
  return new StandInRenaming().isSame(one, other)
}

it.each(same)('gives one text for %s', (_, boundary, name, one, other) => {
  expect(areEqual(canonicalInput(boundary, name, one), canonicalInput(boundary, name, other))).toBe(true)
})

it.each(different)('gives two texts for %s', (_, boundary, name, one, other) => {
  expect(areEqual(canonicalInput(boundary, name, one), canonicalInput(boundary, name, other))).toBe(false)
})

it('takes a model call of a dialect that it does not know as it is', () => {
  expect(canonicalInput('model', 'future.api', chat([]))).toBe(
    '{"body":{"messages":[],"model":"gpt-4.1"},"headers":{"content-type":"application/json"}}',
  )
})

it('takes a call without arguments', () => {
  expect(canonicalInput('tool', 'f', undefined)).toBe('{}')
})
