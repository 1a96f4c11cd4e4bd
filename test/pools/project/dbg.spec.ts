import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'vitest'
import { createRecorder } from 'goldenrun'
import { replay } from 'goldenrun/replay'
import { agent } from './agent.ts'
it('x', async () => {
  const store = await mkdtemp(join(tmpdir(), 'goldenrun-pool-'))
  const recorder = createRecorder({ store })
  console.error(await recorder.run({ agent: 'a', input: {} }, agent))
  await recorder.close()
  const [name = ''] = await readdir(store)
  console.error(await readFile(join(store, name), 'utf8'))
  const run = await replay(join(store, name), agent)
  console.error(run.outcome)
})
