import { expect, it } from 'vitest'
import { differ } from './differ.ts'

/** `npm run untouched` takes more of them, and others each time. */
const COUNT = 150

it(`shows an agent the same of ${COUNT} random HTTP behaviours as without a recorder`, { timeout: 120_000 }, async () => {
  const { differences, flaky, read, encoded, failed, recorded } = await differ(COUNT, 'untouched')
  expect(differences).toEqual([])
  expect(recorded).toBe(COUNT)
  // Else there would be nothing that it shows.
  expect(flaky).toBeLessThan(COUNT / 10)
  expect(read).toBeGreaterThan(COUNT / 3)
  expect(encoded).toBeGreaterThan(COUNT / 3)
  expect(failed).toBeGreaterThan(COUNT / 20)
})
