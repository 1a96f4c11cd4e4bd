import { expect, it } from 'vitest'
import { createRunId } from '../../src/record/run-id.ts'

it('makes ids that sort as they were made, within a millisecond too', () => {
  const times = [0, 0, 0, 1, 1, 86_400_000].flatMap((offset) => Array.from({ length: 500 }, () => new Date(1_795_000_000_000 + offset)))
  const ids = times.map((time) => createRunId(time.toISOString()))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^2026111[89]-\d{9}-[0-9a-f]{8}$/.test(id))).toEqual([])
})
