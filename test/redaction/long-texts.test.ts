import { expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRandom } from '../support/random.ts'
import { expectEnds, pieces } from './long-texts.ts'

// More of them: long-texts.slow.test.ts.
it.each([1, 2, 3, 4])('comes to an end with long texts in which %i pieces are repeated', (parts) => {
  expectEnds(parts, { texts: 6, every: 5 })
})

it('never fails, and redacts what it gave to itself, over any text', () => {
  const random = createRandom('any text')
  for (let count = 0; count < 1000; count += 1) {
    const text = Array.from({ length: random.whole(1, 40) }, () => pieces[random.whole(0, pieces.length - 1)] ?? '').join('')
    const once = createRedactor().text(text)
    const again = createRedactor()
    expect(again.text(once), text).toBe(once)
  }
})
