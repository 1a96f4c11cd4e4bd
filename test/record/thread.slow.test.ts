import { it } from 'vitest'
import { expectKeptByThread } from './runs-on-thread.ts'

it('replays what the thread kept of sixty-four runs at once', async () => {
  await expectKeptByThread(64)
})
