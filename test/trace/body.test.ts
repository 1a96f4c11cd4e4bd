import { expect, it } from 'vitest'

import { bodyFromBytes, bytesOfBody } from '../../src/trace/body.ts'
import type { HttpBody } from '../../src/trace/rows.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

const table: readonly [name: string, bytes: Uint8Array, contentType: string | undefined, body: HttpBody][] = [
  ['nothing', Uint8Array.of(), 'application/json', {}],
  ['compact JSON', utf8('{"a":[1,"ü",null]}'), 'application/json; charset=utf-8', { json: { a: [1, 'ü', null] } }],
  ['JSON of another type', utf8('{"a":1}'), 'application/problem+json', { json: { a: 1 } }],
  ['JSON without a type', utf8('{"a":1}'), undefined, { json: { a: 1 } }],
  ['JSON that calls itself text', utf8('{"a":1}'), 'text/plain', { json: { a: 1 } }],
  ['null', utf8('null'), 'application/json', { json: null }],
  ['text that is JSON by chance', utf8('true'), 'text/plain', { text: 'true' }],
  ['JSON with spaces', utf8('{"a": 1}'), 'application/json', { text: '{"a": 1}' }],
  ['JSON with a line break', utf8('{"a":1}\n'), 'application/json', { text: '{"a":1}\n' }],
  ['JSON with a key twice', utf8('{"a":1,"a":2}'), 'application/json', { text: '{"a":1,"a":2}' }],
  ['JSON with numbers for keys', utf8('{"2":1,"1":2}'), 'application/json', { text: '{"2":1,"1":2}' }],
  ['JSON with a long number', utf8('{"a":12345678901234567890}'), 'application/json', { text: '{"a":12345678901234567890}' }],
  ['JSON with another spelling of a number', utf8('[1.0]'), 'application/json', { text: '[1.0]' }],
  ['JSON with another spelling of a letter', utf8('["\\u00e9"]'), 'application/json', { text: '["\\u00e9"]' }],
  ['JSON with a negative zero', utf8('[-0]'), 'application/json', { text: '[-0]' }],
  ['JSON that breaks off', utf8('{"a":'), 'application/json', { text: '{"a":' }],
  ['JSON at the depth that is kept', utf8(deep(200)), 'application/json', { json: JSON.parse(deep(200)) }],
  ['JSON that is too deep', utf8(deep(201)), 'application/json', { text: deep(201) }],
  ['JSON that is far too deep', utf8(deep(100_000)), 'application/json', { text: deep(100_000) }],
  ['an event stream', utf8('[1]'), 'text/event-stream', { text: '[1]' }],
  ['a form', utf8('a=1&b=2'), 'application/x-www-form-urlencoded', { text: 'a=1&b=2' }],
  ['text with a byte order mark', utf8('\uFEFFa'), 'text/plain', { text: '\uFEFFa' }],
  ['bytes', Uint8Array.of(0xff, 0xfe, 0), 'application/octet-stream', { bytes: Uint8Array.of(0xff, 0xfe, 0) }],
  ['half a character', Uint8Array.of(0xc3), 'text/plain', { bytes: Uint8Array.of(0xc3) }],
  ['an encoded surrogate', Uint8Array.of(0xed, 0xa0, 0x80), 'text/plain', { bytes: Uint8Array.of(0xed, 0xa0, 0x80) }],
]

it.each(table)('keeps a body of %s and gives back its bytes', (_name, bytes, contentType, body) => {
  expect(bodyFromBytes(bytes, contentType)).toStrictEqual(body)
  expect(bytesOfBody(body)).toStrictEqual(bytes)
})

it('keeps a __proto__ key of a body as a key', () => {
  const text = '{"__proto__":{"polluted":1}}'
  const { json } = bodyFromBytes(utf8(text), 'application/json')
  expect(Object.getPrototypeOf(json)).toBe(Object.prototype)
  expect(new TextDecoder().decode(bytesOfBody({ json }))).toBe(text)
})
