import { it } from 'vitest'
import { expectTurns } from './long-recordings.ts'

// A longer one: long-recordings.slow.test.ts.
it('lets others have their turn while it reads a long recording, again and again', async () => {
  await expectTurns(12)
})
