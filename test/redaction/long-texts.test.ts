import { expect, it } from 'vitest'
import { ListedStandIns } from '../../src/redaction/listed-stand-ins.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRandom } from '../support/random.ts'
import { BUDGET, expectWithinBudget, LENGTH, pieces, stepsOf } from './long-texts.ts'

// More of them: long-texts.slow.test.ts.
it.each([1, 2, 3, 4])('takes a bounded number of steps for each character of long texts in which %i pieces are repeated', (parts) => {
  expectWithinBudget(parts, { texts: 6, every: 5 })
})

it('counts more steps than the budget for a look that grows with the square', () => {
  const text = 'a'.repeat(LENGTH)
  expect(stepsOf(() => expect(/a+b/.test(text)).toBe(false)) / LENGTH).toBeGreaterThan(BUDGET)
})

it('never fails, and redacts what it gave to itself, over any text', () => {
  const random = createRandom('any text')
  for (let count = 0; count < 1000; count += 1) {
    const text = Array.from({ length: random.whole(1, 40) }, () => pieces[random.whole(0, pieces.length - 1)] ?? '').join('')
    const redactor = createRedactor()
    const once = redactor.text(text)
    const again = createRedactor({ standIns: new ListedStandIns(redactor.standIns.rows) })
    expect(again.text(once), text).toBe(once)
  }
})
