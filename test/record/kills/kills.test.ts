import { expect, it } from 'vitest'
import { createRandom } from '../../support/random.ts'
import { killRecording } from './kill-recording.ts'

it('leaves readable logs with all that was acknowledged, whenever the process is killed', async () => {
  const seed = String(Date.now())
  const random = createRandom(seed)
  let acknowledged = 0
  for (let kill = 0; kill < 6; kill += 1) {
    const killed = await killRecording(random.whole(0, 600))
    expect(killed.faults, `seed ${seed}, kill ${kill}`).toEqual([])
    acknowledged += killed.acknowledged
  }
  expect(acknowledged).toBeGreaterThan(0)
}, 120_000)
