import { expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { holdGolden } from '../../src/goldens/hold-golden.ts'
import { clients } from '../replay/call-sites/clients.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { testRunner } from '../support/test-runner.ts'

const runner = testRunner({})

// The exact line is found in another process, which needs a config: fresh-lines.test.ts.
it('runs the agent once, and names its line in the report on a golden file, where its client hides it', async () => {
  await using directory = await createTemporaryDirectory()
  const { trace } = await recordRun(async () => 'done')
  const { file } = await promote(trace, { name: 'done', directory: directory.resolve('golden-traces') })
  let replays = 0
  const agent = async (): Promise<unknown> => ((replays += 1), await clients['anthropic awaited']?.())
  const { run, result } = await holdGolden(file, { agent, config: {} }, runner)
  expect(result.status).toBe('not held')
  expect(result.report?.json.divergence?.site).toMatchObject({ file: 'test/replay/call-sites/clients.ts' })
  expect(run.divergences[0]?.site).toMatchObject({ file: 'test/replay/call-sites/clients.ts' })
  expect(replays).toBe(1)
})

it('replays a golden that holds once', async () => {
  await using directory = await createTemporaryDirectory()
  const { trace } = await recordRun(async () => 'done')
  const { file } = await promote(trace, { name: 'done', directory: directory.resolve('golden-traces') })
  let replays = 0
  const { result } = await holdGolden(file, { agent: async () => ((replays += 1), 'done'), config: {} }, runner)
  expect([result, replays]).toEqual([{ status: 'held' }, 1])
})
