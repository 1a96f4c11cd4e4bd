import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { framesIn, withoutFrames } from '../../src/divergence/stack-frames.ts'

function failing(message: string): string {
  return new RangeError(message).stack ?? ''
}

const windows = [
  'Error: no such order',
  String.raw`    at find (C:\new\agent\src\orders.ts:3:4)`,
  String.raw`    at async C:\new\agent\src\run.ts:8:2`,
].join('\n')
const evaluated = ['Error: no', '    at eval (eval at run (file:///a/b.js:1:2), <anonymous>:1:7)', '    at <anonymous>'].join('\n')
const awaited = ['Error: no', '    at async Promise.all (index 0)', '    at new Promise (<anonymous>)', '    at Array.map (native)'].join(
  '\n',
)

const stacks: readonly (readonly [name: string, text: string, left: string])[] = [
  ['a stack', failing('no such order'), 'RangeError: no such order'],
  [
    'a stack in a sentence',
    `The tool failed: ${failing('no such order')}\nTry again.`,
    'The tool failed: RangeError: no such order\nTry again.',
  ],
  ['two stacks', `${failing('one')}\n${failing('two')}`, 'RangeError: one\nRangeError: two'],
  ['a message of several lines', failing('one\ntwo'), 'RangeError: one\ntwo'],
  ['paths of Windows', windows, 'Error: no such order'],
  ['evaluated code', evaluated, 'Error: no'],
  ['promises and native code', awaited, 'Error: no'],
  ['line breaks of Windows', windows.replaceAll('\n', '\r\n'), 'Error: no such order'],
]

it.each(stacks)('leaves the first line of %s', (_name, text, left) => {
  expect(withoutFrames(text)).toBe(left)
  expect(withoutFrames(JSON.stringify({ text, b: 1 }))).toBe(JSON.stringify({ text: left, b: 1 }))
  const nested = (inner: string): string => JSON.stringify({ content: JSON.stringify({ error: inner, b: 1 }) })
  expect(withoutFrames(nested(text))).toBe(nested(left))
})

it('leaves the fields and the cause of an inspected error', () => {
  const error = Object.assign(new Error('no', { cause: new Error('lost') }), { code: 'E_NO' })
  expect(withoutFrames(inspect(error))).toBe("Error: no {\n  code: 'E_NO',\n  [cause]: Error: lost\n}")
})

it.each([
  'Meet me\n    at the station',
  'at noon\n    at 12:30',
  'Steps:\n    at first, look\n    at last, act',
  '{"text":"one\\n    at two"}',
  'no frames at all',
])('leaves %j as it is', (text) => {
  expect(withoutFrames(text)).toBe(text)
  expect(framesIn(text)).toEqual([])
})

it('keeps text behind a frame', () => {
  expect(withoutFrames('Error: no\n    at run (/a.js:1:2)!')).toBe('Error: no\n    at run (/a.js:1:2)!')
})

it('lists frames, in plain text and in JSON', () => {
  const text = 'Error: no\n    at run (/a.js:1:2)\n    at async /b.js:3:4\nand Error: two\n    at /c.js:5:6'
  const expected = ['run (/a.js:1:2)', 'async /b.js:3:4', '/c.js:5:6']
  expect(framesIn(text)).toEqual(expected)
  expect(framesIn(JSON.stringify({ text }))).toEqual([...expected.slice(0, 2), '/c.js:5:6"}'].map((frame) => frame.replace(/"\}$/, '')))
})

it('reads a long text without frames in a time that grows with its length', () => {
  const text = `${'\\n   at '.repeat(20_000)}${' at '.repeat(20_000)}`
  expect(withoutFrames(text)).toBe(text)
})
