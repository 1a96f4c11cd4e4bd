import { it } from 'vitest'
import { expectNoisyOrder } from './noisy-runs.ts'

it('keeps the order of all that a server says by itself, up to its end, in each of five recordings', async () => {
  await expectNoisyOrder(5)
})
