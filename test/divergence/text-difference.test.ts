import { expect, it } from 'vitest'
import { textChanges } from '../../src/divergence/text-difference.ts'

const words = (expected: string, received: string): [string, string][] =>
  textChanges(expected, received).map((change) => [
    expected.slice(change.expected.start, change.expected.end),
    received.slice(change.received.start, change.received.end),
  ])

const cases: readonly (readonly [what: string, expected: string, received: string, changes: [string, string][]])[] = [
  ['nothing in equal texts', 'the same', 'the same', []],
  ['a word', 'refund within 30 days', 'refund within 60 days', [['30', '60']]],
  ['a word by its letters', 'it is unshipped now', 'it is shipped now', [['unshipped', 'shipped']]],
  ['the first word', 'You help', 'They help', [['You', 'They']]],
  ['the last word', 'ask me', 'ask her', [['me', 'her']]],
  ['a word more', 'cancel the order', 'cancel the whole order', [['', 'whole ']]],
  ['a word less', 'cancel the whole order', 'cancel the order', [['whole ', '']]],
  ['a text that was empty', '', 'new', [['', 'new']]],
  [
    'two words far apart',
    `first ${'and so on '.repeat(20)}last`,
    `1st ${'and so on '.repeat(20)}final`,
    [
      ['first', '1st'],
      ['last', 'final'],
    ],
  ],
  ['two words near each other as one place', 'a b c d e f', 'a X c Y e f', [['b c d', 'X c Y']]],
]

it.each(cases)('finds %s', (_, expected, received, changes) => {
  expect(words(expected, received)).toEqual(changes)
})

it('finds one word in a text of 100 kB', () => {
  const text = (word: string): string => `${'You help customers. '.repeat(2500)}${word} ${'Be polite to them. '.repeat(2500)}`
  expect(words(text('thirty'), text('sixty'))).toEqual([['thirty', 'sixty']])
})

it('compares word by word what is 200,000 characters long in both texts together, and no more', () => {
  const between = ' so'.repeat(33_332)
  const [expected, received] = [`one${between} A`, `two${between} B`]
  expect(expected.length + received.length).toBe(200_002)
  expect(words(expected.slice(1), received.slice(1))).toEqual([
    ['ne', 'wo'],
    ['A', 'B'],
  ])
  expect(words(expected.slice(1), received)).toEqual([[expected.slice(1), received]])
})

it('takes texts that have nothing in common as one change', () => {
  const numbers = (from: number): string => Array.from({ length: 3000 }, (_, index) => String(from + index)).join(' ')
  expect(textChanges(numbers(10_000), numbers(50_000))).toHaveLength(1)
})

it('does not take a text without spaces for one word', () => {
  const text = (middle: string): string => `${'a'.repeat(1000)}${middle}${'b'.repeat(1000)}`
  const [change] = textChanges(text('1'), text('2'))
  expect(change).toEqual({ expected: { start: 1000, end: 1001 }, received: { start: 1000, end: 1001 } })
})
