import { expect, it } from 'vitest'
import { isPrintOf, printJson } from '../../src/replay/calls/printed-json.ts'

const message = { role: 'user', content: 'Where is "it"?\n' }

/** A body with this in it is compared piece by piece. */
const long = 'It is long. '.repeat(300)

const bodies: readonly (readonly [string, unknown])[] = [
  ['an empty object', {}],
  ['an empty list', { messages: [] }],
  ['a conversation', { model: 'gpt-4o', messages: [message, { role: 'assistant', content: null }], stream: true }],
  ['keys that need quoting', { 'a"b': 1, 7: 'first', é: [1, [2, 3], 'x'] }],
  ['a list', [message, message]],
  ['a text', 'text'],
  ['a number', -0.5],
  ['nothing', null],
  ['a long conversation', { model: 'gpt-4o', messages: [message, { role: 'user', content: long }], stream: true }],
  ['keys that need quoting in a long body', { 'a"b': 1, 7: long, é: [1, [2, 3], 'x'] }],
  ['a long list', [message, long, []]],
  ['a long text', long],
]

it.each(bodies)('takes the print of %s, and nothing else, for it', (_, body) => {
  const text = JSON.stringify(body)
  expect([printJson(body), isPrintOf(body, text)]).toEqual([text, true])
  const others = ['', text.slice(0, -1), `${text.slice(0, -1)}?`, `?${text.slice(1)}`, `${text} `, ` ${text}`, text + text]
  expect(others.map((other) => isPrintOf(body, other))).toEqual(others.map(() => false))
})

it.each([
  ['short', 'x'],
  ['long', long],
])('tells apart %s bodies of which one only begins like the other', (_, policy) => {
  const one = { policy, messages: [message] }
  const more = { policy, messages: [message, message], stream: true }
  expect([isPrintOf(one, JSON.stringify(more)), isPrintOf(more, JSON.stringify(one))]).toEqual([false, false])
  expect([isPrintOf({}, JSON.stringify(one)), isPrintOf([], JSON.stringify([policy]))]).toEqual([false, false])
})

it.each([
  ['short', 'x'],
  ['long', long],
])('compares a field of a %s body by its key, and an item by its place', (_, policy) => {
  expect(isPrintOf({ policy, b: 2 }, JSON.stringify({ b: 2, policy }))).toBe(false)
  expect(isPrintOf({ policy: ['x', policy, 'y'] }, JSON.stringify({ policy: ['y', policy, 'x'] }))).toBe(false)
})
