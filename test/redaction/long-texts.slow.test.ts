import { it } from 'vitest'
import { expectWithinBudget } from './long-texts.ts'

it.each([1, 2, 3, 4])('takes a bounded number of steps for each character of many long texts in which %i pieces are repeated', (parts) => {
  expectWithinBudget(parts, { texts: 30, every: 1 })
})
