import { expect, it } from 'vitest'
import { canonicalInput } from '../../src/divergence/canonical-input.ts'
import { compareInputs, compareValues } from '../../src/divergence/compare-inputs.ts'
import type { FieldDifference } from '../../src/divergence/divergence.ts'
import { noRules } from '../../src/divergence/path-rules.ts'
import { StandInRenaming } from '../../src/divergence/stand-ins.ts'
import { ShapedStandIns } from '../../src/redaction/shaped-stand-ins.ts'
import type { Boundary } from '../../src/trace/boundary.ts'

type Case = readonly [what: string, boundary: Boundary, recorded: unknown, live: unknown, differences: readonly FieldDifference[]]

const http = (fields: object): object => ({ method: 'POST', url: 'https://a.example.com/x', headers: [], ...fields })
const chat = (json: object): object => ({
  method: 'POST',
  url: 'https://api.openai.com/v1/chat/completions',
  headers: [],
  json: { model: 'gpt-4.1', ...json },
})
const system = (content: string): object => ({ role: 'system', content })
const user = (content: string): object => ({ role: 'user', content })
const offered = (name: string, description: string): object => ({ type: 'function', function: { name, description } })

const cases: readonly Case[] = [
  [
    'a field',
    'tool',
    { amount: 20, id: 'a' },
    { amount: 25, id: 'a' },
    [{ path: 'args.amount', part: 'args', expected: 20, received: 25 }],
  ],
  ['one of several arguments', 'tool', ['a', 1], ['a', 2], [{ path: 'args[1]', part: 'args', expected: 1, received: 2 }]],
  ['a field more', 'external', {}, { note: 'x' }, [{ path: 'args.note', part: 'args', expected: undefined, received: 'x' }]],
  ['a field less', 'tool', { note: null }, {}, [{ path: 'args.note', part: 'args', expected: null, received: undefined }]],
  ['an odd field', 'tool', { 'a b': 1 }, { 'a b': 2 }, [{ path: 'args["a b"]', part: 'args', expected: 1, received: 2 }]],
  ['the whole input', 'tool', 'a', 1, [{ path: 'args', part: 'args', expected: 'a', received: 1 }]],
  ['an array for an object', 'tool', { a: [1] }, { a: { 0: 1 } }, [{ path: 'args.a', part: 'args', expected: [1], received: { 0: 1 } }]],
  [
    'a date, as one value',
    'tool',
    { on: { $: { date: '2026-01-31T00:00:00.000Z' } } },
    { on: { $: { date: '2026-02-01T00:00:00.000Z' } } },
    [
      {
        path: 'args.on',
        part: 'args',
        expected: { $: { date: '2026-01-31T00:00:00.000Z' } },
        received: { $: { date: '2026-02-01T00:00:00.000Z' } },
      },
    ],
  ],
  [
    'all parts of an HTTP call',
    'http',
    http({ headers: [['idempotency-key', 'a']], json: { amount: 1 } }),
    http({ method: 'PUT', url: 'https://a.example.com/y', headers: [['idempotency-key', 'b']], json: { amount: 2 } }),
    [
      { path: 'method', part: 'method', expected: 'POST', received: 'PUT' },
      { path: 'url', part: 'url', expected: 'https://a.example.com/x', received: 'https://a.example.com/y' },
      { path: 'headers["idempotency-key"]', part: 'headers', expected: 'a', received: 'b' },
      { path: 'body.amount', part: 'body', expected: 1, received: 2 },
    ],
  ],
  [
    'a body that is not there any more',
    'http',
    http({ text: 'a=1' }),
    http({}),
    [{ path: 'body', part: 'body', expected: 'a=1', received: undefined }],
  ],
  [
    'the parts of a model call',
    'model',
    chat({ messages: [system('a'), user('b')], tools: [offered('f', 'x')], temperature: 0 }),
    chat({ model: 'gpt-5', messages: [system('A'), user('B')], tools: [offered('f', 'y')], temperature: 1, user: 'u' }),
    [
      { path: 'model', part: 'model', expected: 'gpt-4.1', received: 'gpt-5' },
      { path: 'messages[0].content', part: 'system-prompt', expected: 'a', received: 'A' },
      { path: 'messages[1].content', part: 'messages', expected: 'b', received: 'B' },
      { path: 'tools[0].function.description', part: 'tool-schema', expected: 'x', received: 'y' },
      { path: 'temperature', part: 'sampling', expected: 0, received: 1 },
      { path: 'user', part: 'body', expected: undefined, received: 'u' },
    ],
  ],
  [
    'a message more in the middle',
    'model',
    chat({ messages: [system('s'), user('a'), user('b'), user('c')] }),
    chat({ messages: [system('s'), user('a'), user('new'), user('b'), user('c')] }),
    [{ path: 'messages[2]', part: 'messages', expected: undefined, received: user('new') }],
  ],
  [
    'a message less at the start',
    'model',
    chat({ messages: [user('a'), user('b'), user('c')] }),
    chat({ messages: [user('b'), user('c')] }),
    [{ path: 'messages[0]', part: 'messages', expected: user('a'), received: undefined }],
  ],
  [
    'a tool more, and the next one described otherwise',
    'model',
    chat({ messages: [], tools: [offered('a', 'one'), offered('b', 'two')] }),
    chat({ messages: [], tools: [offered('new', 'none'), offered('a', 'one!'), offered('b', 'two')] }),
    [
      { path: 'tools[0]', part: 'tool-schema', expected: undefined, received: offered('new', 'none') },
      { path: 'tools[0].function.description', part: 'tool-schema', expected: 'one', received: 'one!' },
    ],
  ],
  [
    'an item moved from the first place to the last',
    'tool',
    [1, 2, 3, 4],
    [2, 3, 4, 1],
    [
      { path: 'args[0]', part: 'args', expected: 1, received: undefined },
      { path: 'args[3]', part: 'args', expected: undefined, received: 1 },
    ],
  ],
  [
    'a secret that is another one in the second place',
    'tool',
    { a: 'REDACTED0001', b: 'REDACTED0001' },
    { a: 'REDACTED0005', b: 'REDACTED0006' },
    [{ path: 'args.b', part: 'args', expected: 'REDACTED0001', received: 'REDACTED0006', standIns: [{ kind: 'secret', isOwn: true }] }],
  ],
]

function renaming(): StandInRenaming {
  const standIns = new ShapedStandIns()
  return new StandInRenaming({ recorded: standIns, live: standIns })
}

it.each(cases)('finds %s', (_, boundary, recorded, live, differences) => {
  const name = boundary === 'model' ? 'openai.chat' : 'name'
  expect(compareInputs(boundary, name, recorded, live, noRules, renaming())).toEqual(differences)
  expect(canonicalInput(boundary, name, recorded)).not.toBe(canonicalInput(boundary, name, live))
})

it('finds nothing where inputs are equal but for what has no meaning', () => {
  const asked = (id: string): object[] => [
    { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: 'token REDACTED0002' },
  ]
  const live = { ...chat({ messages: asked('y') }), url: 'http://localhost/v1/chat/completions' }
  const renumbered = JSON.parse(JSON.stringify(live).replace('REDACTED0002', 'REDACTED0009')) as object
  expect(compareInputs('model', 'openai.chat', chat({ messages: asked('x') }), renumbered, noRules, renaming())).toEqual([])
})

it('finds a change in a conversation of a thousand messages without comparing each with each', () => {
  const messages = Array.from({ length: 1000 }, (_, index) => user(`message ${index}`))
  const live = [...messages.slice(0, 400), user('new'), ...messages.slice(400, 998), user('changed'), ...messages.slice(999)]
  expect(compareInputs('model', 'openai.chat', chat({ messages }), chat({ messages: live }))).toEqual([
    { path: 'messages[400]', part: 'messages', expected: undefined, received: user('new') },
    { path: 'messages[998].content', part: 'messages', expected: 'message 998', received: 'changed' },
  ])
})

it('compares arrays that have nothing in common item by item', () => {
  const numbers = (from: number): number[] => Array.from({ length: 600 }, (_, index) => from + index)
  const differences = compareInputs('tool', 'f', numbers(0), numbers(10_000))
  expect(differences).toHaveLength(600)
  expect(differences[599]).toEqual({ path: 'args[599]', part: 'args', expected: 599, received: 10_599 })
})

it('compares outcomes and states, with paths from a root', () => {
  const [expected, received] = [{ order: { status: 'packed' } }, { order: { status: 'sent' } }]
  expect(compareValues(expected, received)).toEqual([{ path: 'order.status', expected: 'packed', received: 'sent' }])
  expect(compareValues(expected, received, 'state')).toEqual([{ path: 'state.order.status', expected: 'packed', received: 'sent' }])
  expect(compareValues(1, 2)).toEqual([{ path: '', expected: 1, received: 2 }])
  expect(compareValues(expected, structuredClone(expected))).toEqual([])
})

it('is not misled by fields that objects inherit', () => {
  const recorded: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":1}')
  const live: unknown = JSON.parse('{"__proto__":{"a":2}}')
  expect(compareInputs('tool', 'f', recorded, live)).toEqual([
    { path: 'args.__proto__.a', part: 'args', expected: 1, received: 2 },
    { path: 'args.constructor', part: 'args', expected: 1, received: undefined },
  ])
})
