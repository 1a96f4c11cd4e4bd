import { expect, it } from 'vitest'
import { canonicalInput } from '../../src/divergence/canonical-input.ts'
import { compareInputs } from '../../src/divergence/compare-inputs.ts'
import { PathRules, type PathRuleOptions } from '../../src/divergence/path-rules.ts'
import type { Boundary } from '../../src/trace/boundary.ts'

const rulesOf = (options: PathRuleOptions): PathRules =>
  new PathRules(options, (option, problem) => {
    throw new Error(`${option} ${problem}`)
  })

const http = (fields: object): object => ({ method: 'POST', url: 'https://a.example.com/x?page=1&at=5', headers: [], ...fields })
const chat = (json: object): object => ({ method: 'POST', url: 'https://api.openai.com/v1/chat/completions', headers: [], json })
const uuid = (digit: number): string => `0123456${digit}-89ab-4def-8123-456789abcdef`

type Case = readonly [what: string, options: PathRuleOptions, boundary: Boundary, one: unknown, other: unknown]

const equal: readonly Case[] = [
  ['a field of an argument', { ignore: ['args.requestId'] }, 'tool', { id: 1, requestId: 'a' }, { id: 1, requestId: 'b' }],
  ['a field that one of them lacks', { ignore: ['args.requestId'] }, 'tool', { id: 1, requestId: 'a' }, { id: 1 }],
  ['one item', { ignore: ['args[1]'] }, 'tool', ['a', 1, 'z'], ['a', 2, 'z']],
  ['a field of every item', { ignore: ['args.items[*].at'] }, 'external', { items: [{ at: 1 }, { at: 2 }] }, { items: [{ at: 3 }, {}] }],
  ['every field', { ignore: ['args[*].at'] }, 'tool', { a: { at: 1 }, b: { at: 2 } }, { a: { at: 9 }, b: { at: 9 } }],
  ['an odd name', { ignore: ['args["x-y"]["$"]'] }, 'tool', { 'x-y': { $: 1, a: 1 } }, { 'x-y': { $: 2, a: 1 } }],
  [
    'a place in the conversation',
    { ignore: ['messages[*].metadata.requestId'] },
    'model',
    chat({ messages: [{ role: 'user', metadata: { requestId: 1 } }] }),
    chat({ messages: [{ role: 'user', metadata: { requestId: 2 } }] }),
  ],
  [
    'a header',
    { ignore: ['headers["idempotency-key"]'] },
    'http',
    http({ headers: [['idempotency-key', 'a']] }),
    http({ headers: [['idempotency-key', 'b']] }),
  ],
  ['a field of the query', { ignore: ['query.at'] }, 'http', http({}), http({ url: 'https://a.example.com/x?page=1&at=6' })],
  ['a field of a body', { ignore: ['body.user.name'] }, 'http', http({ json: { user: { name: 'a' } } }), http({ json: { user: {} } })],
  ['a body that is no JSON', { ignore: ['body'] }, 'model', { headers: [], text: 'a' }, { headers: [], text: 'b' }],
  ['ids', { normalize: { 'args.note': 'uuid' } }, 'tool', { note: `for ${uuid(1)}` }, { note: `for ${uuid(2)}` }],
  [
    'dates deep inside',
    { normalize: { 'args.notes': 'date', 'args.at': 'date', 'args.on': 'date' } },
    'tool',
    { notes: ['on 2026-01-31'], at: 1_770_000_000_000, on: { $: { date: '2026-01-31T00:00:00.000Z' } } },
    { notes: ['on 2026-02-28'], at: 1_780_000_000_000, on: { $: { date: '2026-02-01T00:00:00.000Z' } } },
  ],
  ['white space', { normalize: { 'messages[*].content': 'whitespace' } }, 'model', chat(said('a  b\n')), chat(said(' a b'))],
  ['the order of a list', { normalize: { 'args.tags': 'sorted' } }, 'tool', { tags: ['b', { c: 1 }, 'a'] }, { tags: ['a', 'b', { c: 1 }] }],
  [
    'what a function makes of it',
    { normalize: { 'args.on': (value: Date | string) => (value instanceof Date ? value.getUTCFullYear() : Number(value)) } },
    'tool',
    { on: { $: { date: '2026-01-31T00:00:00.000Z' } } },
    { on: '2026' },
  ],
]

const different: readonly Case[] = [
  ['another field', { ignore: ['args.requestId'] }, 'tool', { id: 1 }, { id: 2 }],
  ['another item', { ignore: ['args[1]'] }, 'tool', ['a', 1, 'z'], ['b', 1, 'z']],
  ['an item more', { ignore: ['args[*]'] }, 'tool', ['a'], ['a', 'b']],
  ['an index that is a name', { ignore: ['args[1]'] }, 'tool', { 1: 'a' }, { 1: 'b' }],
  ['a place with the same name in a body that is no model’s', { ignore: ['messages'] }, 'http', http({ json: { messages: 1 } }), http({})],
  ['what stands within a value that is no JSON', { ignore: ['args.on.date'] }, 'tool', date('2026-01-31'), date('2026-01-30')],
  ['words around ids', { normalize: { 'args.note': 'uuid' } }, 'tool', { note: `for ${uuid(1)}` }, { note: `of ${uuid(1)}` }],
  ['a list that lacks an item', { normalize: { 'args.tags': 'sorted' } }, 'tool', { tags: ['a', 'a'] }, { tags: ['a'] }],
]

function said(content: string): object {
  return { messages: [{ role: 'user', content }] }
}

function date(day: string): object {
  return { on: { $: { date: `${day}T00:00:00.000Z` } } }
}

const nameOf = (boundary: Boundary): string => (boundary === 'model' ? 'openai.chat' : 'name')

it.each(equal)('takes inputs as equal that differ in %s', (_, options, boundary, one, other) => {
  const name = nameOf(boundary)
  const rules = rulesOf(options)
  expect(canonicalInput(boundary, name, one, rules)).toBe(canonicalInput(boundary, name, other, rules))
  expect(compareInputs(boundary, name, one, other, rules)).toEqual([])
  expect(rules.unmet).toEqual([])
  expect(compareInputs(boundary, name, one, other)).not.toEqual([])
})

it.each(different)('takes inputs as different that differ in %s', (_, options, boundary, one, other) => {
  const rules = rulesOf(options)
  expect(canonicalInput(boundary, nameOf(boundary), one, rules)).not.toBe(canonicalInput(boundary, nameOf(boundary), other, rules))
  expect(compareInputs(boundary, nameOf(boundary), one, other, rules)).not.toEqual([])
})

it('takes every path that a comparison prints', () => {
  const [one, other] = [
    http({ url: 'https://a.example.com/x?page=1', headers: [['x-a', '1']], json: { 'a b': [{ c: 1 }], constructor: 1 } }),
    http({ method: 'PUT', url: 'https://a.example.com/y?page=2', headers: [['x-a', '2']], json: { 'a b': [{ c: 2 }], constructor: 2 } }),
  ]
  const differences = compareInputs('http', 'h', one, other)
  expect(differences).toHaveLength(6)
  expect(compareInputs('http', 'h', one, other, rulesOf({ ignore: differences.map(({ path }) => path) }))).toEqual([])
})

it('changes neither of the inputs', () => {
  const input = { items: [{ at: 1 }] }
  canonicalInput('tool', 'f', input, rulesOf({ ignore: ['args.items[*].at'], normalize: { 'args.items[0].at': () => 2 } }))
  expect(input).toEqual({ items: [{ at: 1 }] })
})

it('keeps what a normalizer threw, since nothing that it compares can be believed', () => {
  const rules = rulesOf({
    normalize: {
      'args.id': (id: string) => id.toUpperCase(),
    },
  })
  canonicalInput('tool', 'f', { id: 1 }, rules)
  expect(rules.failure?.message).toBe(
    'The normalizer of "args.id" threw: TypeError: id.toUpperCase is not a function. It receives every value at its path, and has to handle them all.',
  )
})

it('takes nothing from a normalizer that cannot be compared', () => {
  for (const [given, what] of [
    [async () => 1, 'a promise'],
    [() => () => 1, 'a function'],
  ] as const) {
    const rules = rulesOf({ normalize: { 'args.id': given } })
    canonicalInput('tool', 'f', { id: 1 }, rules)
    expect(rules.failure?.message).toContain(`The normalizer of "args.id" threw: TypeError: it returned ${what}, which cannot be compared.`)
  }
})

it.each([
  [{ ignore: ['args.'] }, 'ignore has to hold paths like args.items[*]["odd key"]: "args." cannot be parsed from "." on.'],
  [{ ignore: [7 as never] }, 'ignore has to hold paths, got 7.'],
  [{ ignore: ['[*].id'] }, 'ignore has to hold paths that start with a name, got "[*].id".'],
  [{ ignore: ['model'] }, 'ignore cannot hold "model": allow a different model by name, { allowModelDrift: [{ from, to }] }.'],
  [
    { normalize: { 'args.id': 'constructor' as never } },
    'normalize has "constructor" for "args.id": it takes a function, or one of uuid, date, whitespace, sorted.',
  ],
] satisfies readonly (readonly [PathRuleOptions, string])[])('refuses %j', (options, message) => {
  expect(() => rulesOf(options)).toThrow(message)
})
