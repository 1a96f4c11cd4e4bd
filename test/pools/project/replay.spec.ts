import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecorder } from 'goldenrun'
import { replay } from 'goldenrun/replay'
import { expect, it } from 'vitest'
import { agent } from './agent.ts'

it('replays what it recorded', async () => {
  const store = await mkdtemp(join(tmpdir(), 'goldenrun-pool-'))
  try {
    const recorder = createRecorder({ store })
    const output = await recorder.run({ agent: 'agent', input: {} }, agent)
    await recorder.close()
    const [name = ''] = await readdir(store)
    for (let time = 0; time < 2; time += 1) {
      const run = await replay(join(store, name), agent)
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
      expect(run.virtualMs).toBeGreaterThanOrEqual(200)
    }
  } finally {
    await rm(store, { recursive: true })
  }
})
