import { expect, it } from 'vitest'
import { printValue } from '../../src/divergence/print-value.ts'
import { UnkeptValue } from '../../src/trace/unkept-value.ts'
import { toRecorded } from '../../src/trace/values.ts'

const values: readonly (readonly [value: unknown, printed: string])[] = [
  [{ id: 'ord_1', tags: ['a', null, true], left: undefined }, '{"id":"ord_1","tags":["a",null,true]}'],
  ['a "quoted"\ntext\u001b[31m', '"a \\"quoted\\"\\ntext\\u001b[31m"'],
  [undefined, 'undefined'],
  [[undefined], '[undefined]'],
  [Number.NaN, 'NaN'],
  [-0, '-0'],
  [12n, '12n'],
  [new Date('2026-01-31T08:00:00Z'), 'Date 2026-01-31T08:00:00.000Z'],
  [new Date('never'), 'Date invalid'],
  [new Map([['a', 1]]), 'Map [["a",1]]'],
  [new Set([1, 'b']), 'Set [1,"b"]'],
  [/a+/gi, '/a+/gi'],
  [new URL('https://a.example.com/x'), 'URL https://a.example.com/x'],
  [new Uint8Array(5), '<5 bytes>'],
  [new TypeError('fetch failed'), 'TypeError: fetch failed'],
]

it.each(values)('prints %o as it is, and the same from its recorded form', (value, printed) => {
  expect(printValue(value)).toBe(printed)
  expect(printValue(toRecorded(value))).toBe(printed)
})

it('prints what was not kept, cycles, and objects that look recorded', () => {
  const cyclic: Record<string, unknown> = { a: 1 }
  cyclic['self'] = cyclic
  expect(printValue(new UnkeptValue('$', 'a stream'))).toBe('<a stream, not kept>')
  expect(printValue(toRecorded(() => 0))).toBe('<a function, not kept>')
  expect(printValue(toRecorded(cyclic))).toBe('{"a":1,"self":<the same as $>}')
  expect(printValue(toRecorded({ $: { date: 'no date' } }))).toBe('Date no date')
  expect(printValue({ $: { unknown: 1 } })).toBe('{"$":{"unknown":1}}')
})

it('prints functions, asymmetric matchers, and values that resist', () => {
  expect(printValue({ run: function go() {} })).toBe('{"run":<function go>}')
  expect(printValue({ id: expect.any(String) as unknown })).toBe('{"id":Any<String>}')
  expect(printValue(expect.objectContaining({ a: 1 }))).toBe('ObjectContaining({"a":1})')
  expect(printValue(expect.not.stringContaining('a'))).toBe('StringNotContaining("a")')
  const thrower = {
    get a(): never {
      throw new Error('no')
    },
  }
  expect(printValue(thrower)).toBe('{<unreadable>')
})

it('cuts to a length, without splitting a character, and without printing what is behind the cut', () => {
  expect(printValue({ text: 'a'.repeat(100) }, 20)).toBe('{"text":"aaaaaaaaaa…')
  expect(printValue('1234567', 9)).toBe('"1234567"')
  expect(printValue('12345678', 9)).toBe('"1234567…')
  expect(printValue('123😀😀', 6)).toBe('"123…')
  let reads = 0
  const items = new Proxy(
    Array.from({ length: 10_000 }, () => 'item'),
    { get: (target, key) => ((reads += 1), Reflect.get(target, key)) },
  )
  expect(printValue(items, 20)).toBe('["item","item","ite…')
  expect(reads).toBeLessThan(20)
})

it('stops at a cycle that was not recorded', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic['a'] = cyclic
  expect(printValue(cyclic)).toBe(`${'{"a":'.repeat(13)}…${'}'.repeat(13)}`)
})
