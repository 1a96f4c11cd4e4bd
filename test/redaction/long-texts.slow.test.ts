import { it } from 'vitest'
import { expectEnds } from './long-texts.ts'

it.each([1, 2, 3, 4])(
  'comes to an end with long texts in which %i pieces are repeated: a look that grew with the square would not',
  (parts) => {
    expectEnds(parts, { texts: 30, every: 1 })
  },
)
