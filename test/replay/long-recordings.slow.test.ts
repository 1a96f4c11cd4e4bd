import { it } from 'vitest'
import { expectTurns } from './long-recordings.ts'

it('lets others have their turn while it reads a recording of fifteen million characters, again and again', async () => {
  await expectTurns(40)
})
