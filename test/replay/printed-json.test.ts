import { expect, it } from 'vitest'
import { isPrintOf, printJson } from '../../src/replay/printed-json.ts'

const message = { role: 'user', content: 'Where is "it"?\n' }

const bodies: readonly (readonly [string, unknown])[] = [
  ['an empty object', {}],
  ['an empty list', { messages: [] }],
  ['a conversation', { model: 'gpt-4o', messages: [message, { role: 'assistant', content: null }], stream: true }],
  ['keys that need quoting', { 'a"b': 1, 7: 'first', é: [1, [2, 3], 'x'] }],
  ['a list', [message, message]],
  ['a text', 'text'],
  ['a number', -0.5],
  ['nothing', null],
]

it.each(bodies)('takes the print of %s, and nothing else, for it', (_, body) => {
  const text = JSON.stringify(body)
  expect([printJson(body), isPrintOf(body, text)]).toEqual([text, true])
  const others = ['', text.slice(0, -1), `${text.slice(0, -1)}?`, `?${text.slice(1)}`, `${text} `, ` ${text}`, text + text]
  expect(others.map((other) => isPrintOf(body, other))).toEqual(others.map(() => false))
})

it('tells apart bodies of which one only begins like the other', () => {
  const short = { messages: [message] }
  const long = { messages: [message, message], stream: true }
  expect([isPrintOf(short, JSON.stringify(long)), isPrintOf(long, JSON.stringify(short))]).toEqual([false, false])
  expect([isPrintOf({}, JSON.stringify(short)), isPrintOf([], JSON.stringify([message]))]).toEqual([false, false])
})

it('compares a field by its key, and an item by its place', () => {
  expect(isPrintOf({ a: 1, b: 2 }, '{"b":2,"a":1}')).toBe(false)
  expect(isPrintOf({ a: ['x', 'y'] }, '{"a":["y","x"]}')).toBe(false)
})
