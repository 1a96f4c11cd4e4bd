import { expect, it } from 'vitest'
import { mayWrite } from '../../../src/trace/requests/may-write.ts'

const url = 'https://shop.example/graphql'
const writes = (body: unknown): boolean => mayWrite({ method: 'POST', url, json: body }, undefined)

it.each<[what: string, body: unknown]>([
  ['a query in short form', { query: '{ order(id: 7) { status } }' }],
  ['a query', { query: 'query Order($id: ID! = "7") @live { order(id: $id, filter: { open: true }) { status } }', variables: { id: 7 } }],
  ['a query without a name', { query: 'query($ids: [ID!]!) { orders(ids: $ids) { id } }', operationName: null }],
  ['fragments', { query: 'fragment F on Order { id ...G } query Q { order { ...F } } fragment G on Order { status }' }],
  [
    'comments and strings with braces',
    { query: '# mutation { pay }\nquery { find(text: "} mutation {", more: """a " } mutation { b""") { id } }' },
  ],
  ['a described query', { query: '"Finds an order." query Order { order { id } }' }],
  ['a query in a document with a mutation', { query: 'query A { a } mutation B { b }', operationName: 'A' }],
  ['a batch of queries', [{ query: '{ a }' }, { query: 'query { b }' }]],
  ['a query together with its hash', { query: '{ a }', extensions: { persistedQuery: { version: 1, sha256Hash: 'ab12' } } }],
  ['numbers, lists and variables', { query: '{ near(at: [1.5, -2e3, 0], in: $city, kind: SHOP) { id, name } }' }],
])('takes %s for a read', (_what, body) => {
  expect(writes(body)).toBe(false)
})

it.each<[what: string, body: unknown]>([
  ['a mutation', { query: 'mutation { pay(order: 7) { id } }' }],
  ['a mutation behind a fragment', { query: 'fragment F on Order { id } mutation { pay { ...F } }' }],
  ['a subscription', { query: 'subscription { paid { id } }' }],
  ['a mutation that is chosen by name', { query: 'query A { a } mutation B { b }', operationName: 'B' }],
  ['several operations without a name', { query: 'query A { a } mutation B { b }' }],
  ['an operation that is not there', { query: 'query A { a }', operationName: 'B' }],
  ['the hash of a stored operation', { operationName: 'A', extensions: { persistedQuery: { version: 1, sha256Hash: 'ab12' } } }],
  ['the id of a stored operation', { id: 'ab12', variables: {} }],
  ['a batch with a mutation', [{ query: '{ a }' }, { query: 'mutation { b }' }]],
  ['an empty batch', []],
  ['words', { query: 'refunds of last week' }],
  ['words that begin like a query', { query: 'query the orders of last week' }],
  ['an empty selection', { query: 'query { }' }],
  ['a bracket that is left open', { query: '{ order(id: 7 { status } }' }],
  ['brackets in the wrong order', { query: '{ order(id: [7) ] }' }],
  ['a schema', { query: 'type Order { id: ID }' }],
  ['another query language', { query: 'CREATE (n:Order {id: 7})' }],
  ['EdgeQL', { query: 'insert Order { total := 7 }' }],
  ['an empty document', { query: '' }],
])('takes %s for a possible write', (_what, body) => {
  expect(writes(body)).toBe(true)
})

it('reads a document of a megabyte, whatever its form', () => {
  const text = 'a '.repeat(500_000)
  expect(writes({ query: `{ ${text}}` })).toBe(false)
  expect(writes({ query: `{ f(x: """${text}""") }` })).toBe(false)
  expect(writes({ query: `{ f(x: """${text}) }` })).toBe(true)
  expect(writes({ query: `query ${'('.repeat(500_000)}` })).toBe(true)
})
