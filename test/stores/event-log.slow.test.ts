import { it } from 'vitest'
import { expectCutLogsRead } from './written-logs.ts'

it('reads a log that was cut at any byte up to its last whole frame, with a note', async () => {
  await expectCutLogsRead(1)
})
