import { expect, it } from 'vitest'
import { recordOfReceived } from '../../src/http/received-headers.ts'

it('keeps headers whose names every object has', () => {
  const record = recordOfReceived([
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['Constructor', 'c'],
    ['x-a', '1'],
  ])
  expect(Object.entries(record)).toEqual([
    ['__proto__', 'a'],
    ['constructor', ['b', 'c']],
    ['x-a', '1'],
  ])
})
