import { expect, it } from 'vitest'
import { canonicalInput } from '../../src/divergence/canonical-input.ts'
import { ShapedStandIns } from '../../src/redaction/shaped-stand-ins.ts'
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

const at = (rest: string): object => http({ url: `https://files.example.com${rest.startsWith('/') ? '' : '/a'}${rest}` })
const urlencoded = (text: string): object => http({ headers: [['content-type', 'application/x-www-form-urlencoded;charset=UTF-8']], text })
const jsonType = [['content-type', 'application/json; charset=utf-8']]
const json = (text: string): object => http({ headers: jsonType, text })
const chatText = (messages: unknown): object =>
  chat([], { json: undefined, text: JSON.stringify({ model: 'gpt-4.1', messages }, undefined, 2) })
const amazon = (last: string): string =>
  `?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AK${last}%2F2026112${last}%2Feu&X-Amz-Date=2026112${last}T000000Z&X-Amz-Expires=90${last}` +
  `&X-Amz-Security-Token=t${last}&X-Amz-SignedHeaders=host&X-Amz-Signature=s${last}`
const google = (last: string): string =>
  amazon(last)
    .replaceAll('Amz', 'Goog')
    .replace(/&X-Goog-Security-Token=t./, '')
const signed: readonly (readonly [what: string, one: string, other: string])[] = [
  ['an S3 object', `${amazon('1')}&x-id=GetObject`, `?x-id=GetObject&${amazon('2').slice(1)}`],
  ['an S3 object in the old way', '?AWSAccessKeyId=a&Expires=1&Signature=x', '?AWSAccessKeyId=b&Expires=2&Signature=y'],
  ['a Google object', google('1'), google('2')],
  ['a Google object in the old way', '?GoogleAccessId=a&Expires=1&Signature=x', '?GoogleAccessId=a&Expires=2&Signature=y'],
  ['an Azure blob', '?sv=1&sp=r&st=1&se=2&sig=x', '?sv=2&sp=r&st=3&se=4&sig=y'],
  ['a CloudFront file', '?Policy=p&Signature=x&Key-Pair-Id=k', '?Policy=q&Signature=y&Key-Pair-Id=k'],
]

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
  ['fields of a query in another order', 'http', 'h', at('?a=1&b=2&a=3'), at('?b=2&a=1&a=3')],
  ['a query escaped otherwise', 'http', 'h', at('?q=a%20b%2Cc'), at('?q=a+b,c#part')],
  ['JSON laid out otherwise', 'http', 'h', json('{"a": [1, "x  y"]}'), json('{\n  "a": [ 1,"x  y" ] }\n')],
  ['JSON laid out and printed', 'http', 'h', json('{ "a": 1 }'), http({ headers: jsonType, json: { a: 1 } })],
  ['a model call laid out otherwise', 'model', 'openai.chat', chat([asked('x')]), chatText([asked('y')])],
  ['a form in another order', 'http', 'h', urlencoded('amount=20&note=a%20b'), urlencoded('note=a+b&amount=20')],
  ...signed.map(([what, one, other]): Same => [`another signature of ${what}`, 'http', 'h', at(one), at(other)]),
  ['stand-ins of another length', 'tool', 'f', { key: 'sk-REDACTED000000000003' }, { key: 'sk-REDACTED0003' }],
]

const different: readonly Same[] = [
  ['another value in a query', 'http', 'h', at('?a=1'), at('?a=2')],
  ['values of one name in a query in another order', 'http', 'h', at('?a=1&a=2'), at('?a=2&a=1')],
  ['a value and a list of it in a query', 'http', 'h', at('?a=1'), at('?a=1&a=1')],
  ['a query and none', 'http', 'h', at('?a'), at('')],
  ['bytes in a query that are no text', 'http', 'h', at('?a=%FF'), at('?a=%FE')],
  ['another object behind a signature', 'http', 'h', at(`/a${amazon('1')}`), at(`/b${amazon('1')}`)],
  ['another field beside a signature', 'http', 'h', at(`${amazon('1')}&versionId=1`), at(`${amazon('1')}&versionId=2`)],
  ['what a shared access signature permits', 'http', 'h', at('?sv=1&sig=a&sp=r'), at('?sv=1&sig=a&sp=rw')],
  ['a signature of nobody that is known', 'http', 'h', at('?signature=a&expires=1'), at('?signature=b&expires=1')],
  ['a field that looks like a part of a signature', 'http', 'h', at('?se=1&expires=1'), at('?se=2&expires=1')],
  ['text in JSON that is laid out otherwise', 'http', 'h', json('{ "a": "x y" }'), json('{ "a": "x  y" }')],
  ['numbers in JSON that no number is', 'http', 'h', json('{ "a": 12345678901234567890 }'), json('{ "a": 12345678901234567891 }')],
  ['JSON that names a field twice', 'http', 'h', json('{ "a": 1, "a": 2 }'), json('{ "a": 2 }')],
  ['broken JSON', 'http', 'h', json('{ "a": 1 '), json('{ "a": 1')],
  ['another value in a form', 'http', 'h', urlencoded('amount=20'), urlencoded('amount=25')],
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
  const standIns = new ShapedStandIns()
  return new StandInRenaming({ recorded: standIns, live: standIns }).isSame(one, other)
}

it.each(same)('gives one text for %s', (_, boundary, name, one, other) => {
  expect(areEqual(canonicalInput(boundary, name, one), canonicalInput(boundary, name, other))).toBe(true)
})

it.each(different)('gives two texts for %s', (_, boundary, name, one, other) => {
  expect(areEqual(canonicalInput(boundary, name, one), canonicalInput(boundary, name, other))).toBe(false)
})

it('takes a model call of a dialect that it does not know as it is', () => {
  expect(canonicalInput('model', 'future.api', chat([]))).toBe(
    '{"body":{"messages":[],"model":"gpt-4.1"},"headers":{"content-type":"application/json"},"method":"POST","url":"/completions"}',
  )
})

it('takes a call without arguments', () => {
  expect(canonicalInput('tool', 'f', undefined)).toBe('{}')
})
