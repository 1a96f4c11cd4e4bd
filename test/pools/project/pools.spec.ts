import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRecorder } from 'goldenrun'
import { replay } from 'goldenrun/replay'
import { agent } from './agent.ts'

it('replays what it recorded', async () => {
  const store = await mkdtemp(join(tmpdir(), 'goldenrun-pool-'))
  const recorder = createRecorder({ store })
  console.error("rec");const recorded = await recorder.run({ agent: 'a', input: {} }, agent)
  await recorder.close()
  const [name = ''] = await readdir(store)
  const start = performance.now()
  console.error("replay");const run = await replay(join(store, name), agent)
  expect(run.outcome).toEqual({ status: 'returned', output: recorded })
  expect(run.virtualMs).toBeGreaterThan(100)
  expect(performance.now() - start).toBeLessThan(100)
  await rm(store, { recursive: true })
})
