import { expect, it } from 'vitest'
import { compareRuns } from '../../src/replay/compare/compare-runs.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const read = external('read', async (id: number) => (await pause(1), id))
const save = tool('save', { effect: 'write' }, async (id: number) => (await pause(1), id))
const log = tool('log', { effect: 'write' }, async (text: string) => (await pause(1), text))

it.each(['stop', 'continue'] as const)('puts an extra call that nobody awaits where it was made (%s)', async (onDivergence) => {
  const agent = async (extra: () => unknown): Promise<string> => {
    await read(1)
    const id = await save(1)
    extra()
    await log(`saved ${id}`)
    return 'done'
  }
  const { trace } = await recordRun(() => agent(() => undefined))
  const run = await replay(trace, () => agent(() => void log('an extra').catch(() => undefined)), { onDivergence })
  expect(run.divergences[0]).toMatchObject({ cause: 'unexpected-call', name: 'log', step: 2, position: 'after' })
  expect((await compareRuns(trace, run)).divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 2 })
})
