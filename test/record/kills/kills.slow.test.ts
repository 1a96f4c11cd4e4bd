import { expect, it } from 'vitest'
import { createRandom } from '../../support/random.ts'
import { killRecording, type SeenWrite } from './kill-recording.ts'

it('leaves readable logs and a trace of every write that the world saw, whenever the process is killed', async () => {
  const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
  const random = createRandom(seed)
  const writes: SeenWrite[] = []
  let acknowledged = 0
  for (let kill = 0; kill < 6; kill += 1) {
    const killed = await killRecording(random.whole(0, 600))
    expect(killed.faults, `seed ${seed}, kill ${kill}`).toEqual([])
    expect(
      killed.writes.filter(({ hasTrace }) => !hasTrace),
      `seed ${seed}, kill ${kill}`,
    ).toEqual([])
    acknowledged += killed.acknowledged
    writes.push(...killed.writes)
  }
  expect(acknowledged).toBeGreaterThan(0)
  expect(writes.filter(({ isSettled }) => isSettled).length).toBeGreaterThan(0)
}, 120_000)
