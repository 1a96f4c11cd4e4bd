import { expect, it } from 'vitest'
import { renderDivergences } from '../../src/divergence/create-report.ts'
import { toJsonReport } from '../../src/divergence/report/json-report.ts'
import { reportDivergences } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const ask = tool('ask', { effect: 'read' }, async (args: { messages: readonly string[] }) => `answer to ${args.messages.length}`)

it('says process state, with what differs, where a module keeps what came of the replay before', async () => {
  const { trace } = await recordRun(createAgent())
  const agent = createAgent()
  const [first, second] = [await replay(trace, agent), await replay(trace, agent)]
  expect(first.divergences).toEqual([])
  expect(second.divergences[0]).toMatchObject({ cause: 'input', step: 1, heldBefore: true, parts: ['args'] })
  const report = renderDivergences(second, { color: false, width: 400 })
  expect(report).toContain('step 1 diverged (input: args; process state)')
  expect(report).toContain(
    'This trace held earlier in this process, with the same agent and options, so the difference below is process state: something that the process has kept since. Replay in a fresh process to confirm.',
  )
  expect(report).toContain('args.messages')
  expect(report).toContain(`npx goldenrun replay ${trace.header.id}`)
  expect(report).not.toContain('record the run again')
  expect(toJsonReport(reportDivergences(second)).divergence).toMatchObject({ heldBefore: true })
})

it('says so of an outcome, too', async () => {
  let runs = 0
  const agent = async (): Promise<number> => (await ask({ messages: [] }), (runs += 1))
  const { trace } = await recordRun(async () => {
    await ask({ messages: [] })
    return 1
  })
  expect((await replay(trace, agent)).divergences).toEqual([])
  const run = await replay(trace, agent)
  expect(run.divergences[0]).toMatchObject({ cause: 'outcome', heldBefore: true })
  expect(renderDivergences(run, { color: false, width: 160 })).toContain('the outcome diverged (process state)')
})

it('says nothing of the kind where the trace never held, or the agent, its options or its context are others', async () => {
  const { trace } = await recordRun(createAgent())
  const never = createAgent()
  await never()
  expect((await replay(trace, never)).divergences[0]?.heldBefore).toBeUndefined()
  for (const options of [{ tools: 'run' as const }, { context: { tenant: 'b' } }]) {
    const agent = createAgent()
    expect((await replay(trace, agent, { context: { tenant: 'a' } })).divergences).toEqual([])
    const other = await replay(trace, agent, { context: { tenant: 'a' }, ...options })
    expect(other.divergences[0]).toBeDefined()
    expect(other.divergences[0]?.heldBefore).toBeUndefined()
    const same = await replay(trace, agent, { context: { tenant: 'a' } })
    expect(same.divergences[0]?.heldBefore).toBe(true)
  }
})

/** A module-level memory saver, as frameworks have it. */
function createAgent(): () => Promise<void> {
  const memory: string[] = []
  return async () => {
    memory.push('question')
    memory.push(await ask({ messages: [...memory] }))
  }
}
