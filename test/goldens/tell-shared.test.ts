import { expect, it } from 'vitest'
import { createReport } from '../../src/divergence/create-report.ts'
import type { JudgedTrace } from '../../src/goldens/fresh/judged-trace.ts'
import { tellShared } from '../../src/goldens/fresh/tell-shared.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { replay } from '../../src/replay/replay.ts'
import { identityOf } from '../../src/replay/result/agent-lines.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const write = tool('write', {}, async (text: string) => text.length)
const { trace } = await recordRun(async () => [await write('one'), await write('two')])
const run = (...texts: readonly string[]): Promise<ReplayedRun> =>
  replay(trace, async () => {
    for (const text of texts) await write(text)
    return [3, 3]
  })

const judged = (replayed: ReplayedRun): JudgedTrace => ({
  status: 'not held',
  report: createReport(replayed, undefined),
  identity: identityOf(replayed),
})

it('tells state of the process where a shared process differed in another place', async () => {
  const { report } = tellShared(judged(await run('one', 'too')), await run('won', 'two'))
  expect(report?.notes).toEqual([
    'Note: in a process that had replayed other runs before, step 1 diverged (input: args). That is state of the process: something that the ' +
      "agent's modules keep from one run to the next. This verdict is that of a fresh process.",
  ])
})

it('tells no state of the process where both differ in one place, though by what each process has', async () => {
  const fresh = judged(await run('one', 'now: 1'))
  expect(tellShared(fresh, await run('one', 'now: 2'))).toBe(fresh)
})
