import { expect, it } from 'vitest'
import { nearestNames } from '../../src/replay/traces/nearest-names.ts'

it.each([
  // Holds it; two changes, three, four.
  ['refund', ['refnud-a', 'rfeund', 'refnudx', 'refunds'], ['refunds', 'rfeund', 'refnudx']],
  // The known distances of kitten: 1 to mitten, 3 to sitting, 5 to writing.
  ['kitten', ['sitting', 'writing', 'mitten'], ['mitten', 'sitting', 'writing']],
  // A name that holds the wanted one comes first, however long it is.
  ['twice', ['thrice', 'support/refund-twice-after-a-timeout'], ['support/refund-twice-after-a-timeout', 'thrice']],
  // Equally near ones stand in the order of the alphabet, each once.
  ['b', ['d', 'c', 'c', 'a'], ['a', 'c', 'd']],
  ['anything', [], []],
  ['', ['ab', 'a'], ['a', 'ab']],
])('finds the nearest to %j among %j', (wanted, names, nearest) => {
  expect(nearestNames(wanted, names)).toEqual(nearest)
})
