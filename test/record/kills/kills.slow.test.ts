import { expect, it } from 'vitest'
import { createRandom } from '../../support/random.ts'
import { killRecording, type SeenWrite } from './kill-recording.ts'

it('leaves readable logs and a trace of every write that the world saw, whenever the process is killed', async () => {
  const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
  const random = createRandom(seed)
  const writes: SeenWrite[] = []
  let acknowledged = 0
  const hasSettled = (): boolean => writes.some(({ isSettled }) => isSettled)
  // A busy machine may not have come to a write by then: the later ones are left to live longer.
  for (let kill = 0; kill < 6 || (kill < 20 && (acknowledged === 0 || !hasSettled())); kill += 1) {
    const killed = await killRecording(random.whole(0, 600) + (kill < 6 ? 0 : kill * 100))
    expect(killed.faults, `seed ${seed}, kill ${kill}`).toEqual([])
    expect(
      killed.writes.filter(({ hasTrace }) => !hasTrace),
      `seed ${seed}, kill ${kill}`,
    ).toEqual([])
    acknowledged += killed.acknowledged
    writes.push(...killed.writes)
  }
  expect(acknowledged).toBeGreaterThan(0)
  expect(hasSettled()).toBe(true)
}, 120_000)
