import { expect } from 'vitest'
import { differ } from './differ.ts'

/** Expects an agent to be shown the same of so many random HTTP behaviours as without a recorder. */
export async function expectUntouched(count: number): Promise<void> {
  const { differences, flaky, read, encoded, failed, recorded } = await differ(count, 'untouched')
  expect(differences).toEqual([])
  expect(recorded).toBe(count)
  // Else there would be nothing that it shows.
  expect(flaky).toBeLessThan(count / 10)
  expect(read).toBeGreaterThan(count / 3)
  expect(encoded).toBeGreaterThan(count / 3)
  expect(failed).toBeGreaterThan(count / 20)
}
