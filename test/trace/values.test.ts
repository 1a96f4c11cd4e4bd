import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { runInNewContext } from 'node:vm'

import pg from 'pg'
import { expect, it } from 'vitest'

import type { Json } from '../../src/trace/json.ts'
import { HandleValue } from '../../src/trace/handle-value.ts'
import { UnkeptValue } from '../../src/trace/unkept-value.ts'
import { copyValue, fromRecorded, toRecorded, toRecordedOutput } from '../../src/trace/values.ts'
import { thrownBy } from './samples.ts'

/** As the driver fills it. */
function pgResult(): object {
  const result = new pg.Result('array', pg.types)
  const filled = Object.assign(result, { fields: [{ name: 'n' }], _parsers: [Number] })
  filled.rows.push([2])
  return Object.assign(filled, { command: 'SELECT', rowCount: 1 })
}

class Money {
  readonly amount = 12
  readonly currency = 'eur'
  format(): string {
    return `${this.amount} ${this.currency}`
  }
}

// oxlint-disable-next-line typescript/no-extraneous-class
class Nothing {}

class Secretive {
  readonly #amount = 12
  read(): number {
    return this.#amount
  }
}

const kept: readonly [name: string, value: unknown, json: Json][] = [
  ['null', null, null],
  ['true', true, true],
  ['a number', 1.5, 1.5],
  ['zero', 0, 0],
  ['text', 'a "b" \u0000 \u2028 \ud800', 'a "b" \u0000 \u2028 \ud800'],
  ['an array', [1, ['a'], []], [1, ['a'], []]],
  ['an object', { a: { b: null }, '': 1 }, { a: { b: null }, '': 1 }],
  ['NaN', Number.NaN, { $: { number: 'NaN' } }],
  ['Infinity', Number.POSITIVE_INFINITY, { $: { number: 'Infinity' } }],
  ['-Infinity', Number.NEGATIVE_INFINITY, { $: { number: '-Infinity' } }],
  ['-0', -0, { $: { number: '-0' } }],
  ['a bigint', -9_007_199_254_740_993n, { $: { bigint: '-9007199254740993' } }],
  ['undefined', undefined, { $: { undefined: true } }],
  ['undefined in an array', [undefined, 1], [{ $: { undefined: true } }, 1]],
  ['a date', new Date('2026-01-31T08:00:00.123Z'), { $: { date: '2026-01-31T08:00:00.123Z' } }],
  ['a date of another age', new Date('-000044-03-15T00:00:00.000Z'), { $: { date: '-000044-03-15T00:00:00.000Z' } }],
  ['an invalid date', new Date(Number.NaN), { $: { date: 'invalid' } }],
  [
    'a map',
    new Map<unknown, unknown>([
      [{ id: 1 }, new Date(0)],
      ['a', undefined],
    ]),
    {
      $: {
        map: [
          [{ id: 1 }, { $: { date: '1970-01-01T00:00:00.000Z' } }],
          ['a', { $: { undefined: true } }],
        ],
      },
    },
  ],
  ['a set', new Set([1n, 'a']), { $: { set: [{ $: { bigint: '1' } }, 'a'] } }],
  ['bytes', Uint8Array.of(1, 2, 255), { $: { bytes: 'AQL/' } }],
  ['no bytes', Uint8Array.of(), { $: { bytes: '' } }],
  ['floats', Float64Array.of(1), { $: { bytes: 'AAAAAAAA8D8=', as: 'Float64Array' } }],
  ['a part of a buffer', new Uint16Array(Uint16Array.of(1, 2, 3).buffer, 2, 1), { $: { bytes: 'AgA=', as: 'Uint16Array' } }],
  ['a buffer', Uint8Array.of(7).buffer, { $: { bytes: 'Bw==', as: 'ArrayBuffer' } }],
  ['a view', new DataView(Uint8Array.of(7).buffer), { $: { bytes: 'Bw==', as: 'DataView' } }],
  ['a regular expression', /a+"b"/giu, { $: { regexp: ['a+"b"', 'giu'] } }],
  ['a URL', new URL('https://example.com/a?b=c'), { $: { url: 'https://example.com/a?b=c' } }],
  ['search parameters', new URLSearchParams('a=1&a=2'), { $: { search: 'a=1&a=2' } }],
  [
    'headers',
    new Headers({ 'X-B': '2', 'x-a': '1' }),
    {
      $: {
        headers: [
          ['x-a', '1'],
          ['x-b', '2'],
        ],
      },
    },
  ],
  [
    'an error',
    Object.assign(new TypeError('no'), { code: 'E_NO', detail: new Date(0) }),
    {
      $: { error: { name: 'TypeError', message: 'no', code: 'E_NO', fields: { detail: { $: { date: '1970-01-01T00:00:00.000Z' } } } } },
    },
  ],
  ['an error with a cause', new Error('outer', { cause: 'inner' }), { $: { error: { name: 'Error', message: 'outer', cause: 'inner' } } }],
  ['an object whose only key is $', { $: 't3' }, { $: { literal: { $: 't3' } } }],
  [
    'such an object in such an object',
    { $: { $: new Date(0) } },
    {
      $: { literal: { $: { $: { literal: { $: { $: { date: '1970-01-01T00:00:00.000Z' } } } } } } },
    },
  ],
  ['an object with $ and another key', { $: 1, a: 2 }, { $: 1, a: 2 }],
]

it.each(kept)('round-trips %s', (_name, value, json) => {
  expect(toRecorded(value)).toStrictEqual(json)
  expect(JSON.parse(JSON.stringify(json))).toStrictEqual(json)
  const revived = fromRecorded(JSON.parse(JSON.stringify(json)) as Json)
  expect(Object.is(revived, value) || typeof value === 'object').toBe(true)
  expect(revived).toStrictEqual(value)
})

const simplified: readonly [name: string, value: unknown, revived: unknown][] = [
  ['fields that are undefined are left out', { a: undefined, b: 1 }, { b: 1 }],
  ['$ beside a field that is undefined stays an object', { $: 't1', a: undefined }, { $: 't1' }],
  ['holes are undefined', [, 1], [undefined, 1]], // oxlint-disable-line no-sparse-arrays
  ['symbol keys are left out', { [Symbol('s')]: 1, a: 2 }, { a: 2 }],
  ['an instance comes back as its fields', new Money(), { amount: 12, currency: 'eur' }],
  ['an object with toJSON comes back as what that gave', { toJSON: () => ({ at: new Date(0) }) }, { at: new Date(0) }],
  ['an instance without fields and methods comes back as an object', new Nothing(), {}],
  ['an object without a prototype comes back with one', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  [
    "a result of pg comes back without the driver's own fields",
    pgResult(),
    { command: 'SELECT', rowCount: 1, oid: null, rows: [[2]], fields: [{ name: 'n' }] },
  ],
  ['boxed values come back unboxed', [Object(1), Object('a'), Object(true), Object(2n)], [1, 'a', true, 2n]],
]

it.each(simplified)('keeps to JSON where that is expected: %s', (_name, value, revived) => {
  expect(copyValue(value)).toStrictEqual(revived)
})

it('knows the values of another realm', () => {
  const foreign: unknown = runInNewContext(
    '({ at: new Date(0), all: new Map([[1, new Set([2])]]), bytes: new Uint8Array([3]), error: new TypeError("no"), r: /a/ })',
  )
  expect(toRecorded(foreign)).toStrictEqual({
    at: { $: { date: '1970-01-01T00:00:00.000Z' } },
    all: { $: { map: [[1, { $: { set: [2] } }]] } },
    bytes: { $: { bytes: 'Aw==' } },
    error: { $: { error: { name: 'TypeError', message: 'no' } } },
    r: { $: { regexp: ['a', ''] } },
  })
})

const unkept: readonly [name: string, value: unknown, reason: string][] = [
  ['a function', () => 1, 'a function'],
  ['a class', Money, 'a function'],
  ['a symbol', Symbol('s'), 'a symbol'],
  ['a promise', Promise.resolve(1), 'a promise'],
  ['a Node stream', Readable.from(['a']), 'a stream'],
  ['a web stream', new ReadableStream(), 'a stream'],
  ['a generator that is asynchronous', (async function* generate() {})(), 'a stream'],
  ['an event emitter', new EventEmitter(), 'an event emitter'],
  ['a weak map', new WeakMap(), 'an instance of WeakMap, which has no fields of its own,'],
  ['a response', new Response('a'), 'an instance of Response, which has no fields of its own,'],
  ['an instance that hides what it holds', new Secretive(), 'an instance of Secretive, which has no fields of its own,'],
  [
    'an object whose toJSON throws',
    {
      toJSON() {
        throw new Error('not now')
      },
    },
    'an object that throws when it is read (not now)',
  ],
  ['a revoked proxy', revokedProxy(), "an object that throws when it is read (Cannot perform 'IsArray' on a proxy that has been revoked)"],
  [
    'an object that lies about its kind',
    { __proto__: { [Symbol.toStringTag]: 'Date' } },
    'an object that throws when it is read (this is not a Date object.)',
  ],
]

it.each(unkept)('says that %s was not kept, and where', (_name, value, reason) => {
  const told: [path: string, why: string][] = []
  const json = toRecorded({ items: [{ 'the value': value }], map: new Map([['k', value]]) }, (path, why) => told.push([path, why]))
  expect(json).toStrictEqual({
    items: [{ 'the value': { $: { unkept: reason } } }],
    map: { $: { map: [['k', { $: { unkept: reason } }]] } },
  })
  expect(told).toStrictEqual([
    ['$.items[0]["the value"]', reason],
    ['$.map[0][1]', reason],
  ])
  expect(fromRecorded(json)).toStrictEqual({
    items: [{ 'the value': new UnkeptValue('$.items[0]["the value"]', reason) }],
    map: new Map([['k', new UnkeptValue('$.map[0][1]', reason)]]),
  })
})

it('keeps the other fields of an object with a getter that throws', () => {
  const value = {
    get a(): number {
      throw new Error('not now')
    },
    b: 1,
  }
  const told: [path: string, why: string][] = []
  const reason = 'a field that throws when it is read (not now)'
  expect(toRecorded({ value }, (path, why) => told.push([path, why]))).toStrictEqual({ value: { a: { $: { unkept: reason } }, b: 1 } })
  expect(told).toStrictEqual([['$.value.a', reason]])
})

it('survives an error that cannot be printed', () => {
  const value = {
    toJSON() {
      throw Object.create(null)
    },
  }
  expect(toRecorded(value)).toStrictEqual({ $: { unkept: 'an object that throws when it is read (its error cannot be printed)' } })
})

it('writes an unkept value again without telling anyone twice', () => {
  const told: string[] = []
  expect(toRecorded([new UnkeptValue('$[0]', 'a stream')], (path) => told.push(path))).toStrictEqual([{ $: { unkept: 'a stream' } }])
  expect(told).toStrictEqual([])
})

it('keeps the methods and fields of an object that a wrapped client gave', () => {
  const parts = {
    class: 'Statement',
    methods: ['get'],
    accessors: ['sql'],
    iterates: 'iterator',
    isFunction: true,
    fields: { at: new Date(0) },
  } as const
  const handles = [new HandleValue(parts), new HandleValue({ class: '', methods: [], accessors: [], fields: {} }), new HandleValue(2)]
  const json = toRecorded(handles)
  expect(JSON.parse(JSON.stringify(json))).toStrictEqual([
    { $: { handle: { ...parts, fields: { at: { $: { date: '1970-01-01T00:00:00.000Z' } } } } } },
    { $: { handle: { class: '', methods: [], fields: {} } } },
    { $: { handle: 2 } },
  ])
  expect(fromRecorded(json)).toStrictEqual(handles)
  expect(() => fromRecorded({ $: { handle: { class: 'Statement', methods: [1], fields: {} } } })).toThrow('holds an invalid "handle"')
})

it('revives cycles as the same cycles', () => {
  const parent: Record<string, unknown> = { name: 'parent' }
  const map = new Map<string, unknown>()
  const set = new Set<unknown>()
  const error = Object.assign(new Error('round'), { parent })
  Object.assign(parent, { self: parent, list: [{ up: parent }], map: map.set('m', map), set: set.add([set]), error })
  error.cause = error
  const json = toRecorded({ parent })
  expect(json).toStrictEqual({
    parent: {
      name: 'parent',
      self: { $: { cycle: '$.parent' } },
      list: [{ up: { $: { cycle: '$.parent' } } }],
      map: { $: { map: [['m', { $: { cycle: '$.parent.map' } }]] } },
      set: { $: { set: [[{ $: { cycle: '$.parent.set' } }]] } },
      error: {
        $: {
          error: {
            name: 'Error',
            message: 'round',
            cause: { $: { cycle: '$.parent.error' } },
            fields: { parent: { $: { cycle: '$.parent' } } },
          },
        },
      },
    },
  })
  const revived = (fromRecorded(json) as { parent: Record<string, unknown> }).parent
  expect(revived['self']).toBe(revived)
  expect((revived['list'] as { up: unknown }[])[0]?.up).toBe(revived)
  expect((revived['map'] as Map<string, unknown>).get('m')).toBe(revived['map'])
  expect([...(revived['set'] as Set<unknown[]>)][0]?.[0]).toBe(revived['set'])
  expect((revived['error'] as Error).cause).toBe(revived['error'])
  expect(Reflect.get(revived['error'] as Error, 'parent')).toBe(revived)
})

it('writes what is shared, but no cycle, once per mention', () => {
  const shared = { a: 1 }
  expect(toRecorded([shared, shared])).toStrictEqual([{ a: 1 }, { a: 1 }])
})

it('stops where a value stands too deep', () => {
  let deep: unknown = 'bottom'
  for (let level = 0; level < 100_000; level++) deep = [deep]
  const told: string[] = []
  const json = toRecorded(deep, (_path, why) => told.push(why))
  expect(told).toStrictEqual(['a value nested deeper than 200 levels'])
  expect(JSON.stringify(json)).toBe(`${'['.repeat(200)}{"$":{"unkept":"a value nested deeper than 200 levels"}}${']'.repeat(200)}`)
})

it('stops where sharing unfolds without end', () => {
  let wide: unknown = 'bottom'
  for (let level = 0; level < 60; level++) wide = [wide, wide]
  const told = new Set<string>()
  toRecorded(wide, (_path, why) => told.add(why))
  expect([...told]).toStrictEqual(['a value after the first 250000'])
})

it('keeps a __proto__ key as a key and pollutes nothing', () => {
  const value: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"list":[{"__proto__":null}]}')
  const json = JSON.parse(JSON.stringify(toRecorded(value))) as Json
  const revived = fromRecorded(json) as object
  expect(JSON.stringify(revived)).toBe(JSON.stringify(value))
  expect(Object.getPrototypeOf(revived)).toBe(Object.prototype)
  expect(Object.hasOwn(revived, '__proto__')).toBe(true)
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

it('keeps a __proto__ field of an error as a field and pollutes nothing', () => {
  const error = fromRecorded(
    JSON.parse('{"$":{"error":{"name":"Error","message":"m","fields":{"__proto__":{"polluted":1}}}}}') as Json,
  ) as Error
  expect(Object.getPrototypeOf(error)).toBe(Error.prototype)
  expect(Object.getOwnPropertyDescriptor(error, '__proto__')?.value).toStrictEqual({ polluted: 1 })
})

it('copies without sharing', () => {
  const original = { list: [{ at: new Date(0) }], map: new Map([['a', { b: 1 }]]) }
  const copy = copyValue(original) as typeof original
  expect(copy).toStrictEqual(original)
  expect(copy.list[0]).not.toBe(original.list[0])
  expect(copy.list[0]?.at).not.toBe(original.list[0]?.at)
  expect(copy.map.get('a')).not.toBe(original.map.get('a'))
})

const invalid: readonly [name: string, json: Json, message: string][] = [
  ['an unknown kind', { a: [{ $: { nope: 1 } }] }, '"$.a[0]" holds an unknown "$": {"nope":1}.'],
  ['a kind of the prototype', { $: { constructor: 1 } }, '"$" holds an unknown "$": {"constructor":1}.'],
  ['two kinds', { $: { date: 'invalid', map: [] } }, '"$" holds an unknown "$": {"date":"invalid","map":[]}.'],
  ['no kind', { $: {} }, '"$" holds an unknown "$": {}.'],
  ['a number', { $: 3 }, '"$" holds an unknown "$": 3.'],
  ['a date that is none', { $: { date: 'soon' } }, '"$" holds an invalid "date": "soon".'],
  ['a date of another spelling', { $: { date: '2026-01-01' } }, '"$" holds an invalid "date": "2026-01-01".'],
  ['a bigint with a point', { $: { bigint: '1.5' } }, '"$" holds an invalid "bigint": "1.5".'],
  ['an empty bigint', { $: { bigint: '' } }, '"$" holds an invalid "bigint": "".'],
  ['a number that JSON has', { $: { number: '1' } }, '"$" holds an invalid "number": "1".'],
  ['undefined that is false', { $: { undefined: false } }, '"$" holds an invalid "undefined": false.'],
  ['a map of no pairs', { $: { map: [['a']] } }, '"$" holds an invalid "map": [["a"]].'],
  ['a map of pairs that are none', { $: { map: [{ $: { set: [1, 2] } }] } }, '"$" holds an invalid "map": [{"$":{"set":[1,2]}}].'],
  ['a set that is no array', { $: { set: 1 } }, '"$" holds an invalid "set": 1.'],
  ['bytes that are no base64', { $: { bytes: '***' } }, '"$" holds an invalid "bytes": "***".'],
  ['bytes of an unknown view', { $: { bytes: '', as: 'Array' } }, '"$" holds an invalid "bytes": "".'],
  ['bytes that do not fill their view', { $: { bytes: 'AQ==', as: 'Float64Array' } }, '"$" holds an invalid "bytes": "AQ==".'],
  ['a regular expression that is none', { $: { regexp: ['(', ''] } }, '"$" holds an invalid "regexp": ["(",""].'],
  ['a URL that is none', { $: { url: 'here' } }, '"$" holds an invalid "url": "here".'],
  ['headers that are none', { $: { headers: [['a b', '1']] } }, '"$" holds an invalid "headers": [["a b","1"]].'],
  ['an error without a message', { $: { error: { name: 'Error' } } }, '"$" holds an invalid "error": {"name":"Error"}.'],
  [
    'an error with more',
    { $: { error: { name: 'E', message: '', x: 1 } } },
    '"$" holds an invalid "error": {"name":"E","message":"","x":1}.',
  ],
  ['a cycle to nowhere', { a: { $: { cycle: '$.b' } } }, '"$.a" holds an invalid "cycle": "$.b".'],
  ['a literal that is no object', { $: { literal: [1] } }, '"$" holds an invalid "literal": [1].'],
  ['a reason that is no text', { $: { unkept: 1 } }, '"$" holds an invalid "unkept": 1.'],
  ['a text of a trace', { a: { $: 't1' } }, '"$.a" refers to "t1", but references are not allowed there.'],
  ['a continuation in a trace', { $: { after: 1, add: [] } }, '"$" continues an earlier value, which is not allowed there.'],
  ['a long mistake', { $: { date: 'x'.repeat(100) } }, `"$" holds an invalid "date": "${'x'.repeat(59)}….`],
]

it.each(invalid)('refuses %s', (_name, json, message) => {
  expect(thrownBy(() => fromRecorded(json))).toMatchObject({ code: 'GOLDENRUN_TRACE_FORMAT', message })
})

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

it('gives back a Buffer as a Buffer where a function gave it, and compares it as its bytes', () => {
  const output = { sum: Buffer.from('hi'), rest: [Uint8Array.of(1)] }
  const json = { sum: { $: { bytes: 'aGk=', as: 'Buffer' } }, rest: [{ $: { bytes: 'AQ==' } }] }
  expect(toRecordedOutput(output)).toStrictEqual(json)
  const revived = fromRecorded(json) as typeof output
  expect([revived.sum, revived.rest[0]].map((bytes) => Buffer.isBuffer(bytes))).toEqual([true, false])
  expect(revived).toStrictEqual(output)
  expect(toRecorded(revived)).toStrictEqual({ ...json, sum: { $: { bytes: 'aGk=' } } })
})
