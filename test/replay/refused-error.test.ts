import path from 'node:path'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { RefusedError } from '../../src/replay/judge/refused-error.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const find = tool('find', { effect: 'read' }, async (id: string) => id)

it('is a few lines in the log of an agent that swallows it, and leads to the agent', async () => {
  let asked = 'ord_1'
  let refused: unknown
  const agent = async (): Promise<void> => {
    await find(asked).catch((error: unknown) => (refused = error))
  }
  const { trace } = await recordRun(agent)
  asked = 'ord_2'
  const run = await replay(trace, agent)
  const { file = '', line, column } = run.divergences[0]?.site ?? {}
  expect(file).toBe('test/replay/refused-error.test.ts')
  expect(inspect(refused))
    .toBe(`RefusedError: The replay refused this tool call of find: the trace has no answer for it. The verdict of the replay says where the agent diverged from the recorded run; expect(run).toReplayWithoutDivergence() prints it.
    at ${path.resolve(file)}:${line}:${column} {
  code: 'GOLDENRUN_REFUSED',
  boundary: 'tool',
  call: 'find'
}`)
  expect(RefusedError.isInstance(refused) && refused.divergence).toEqual(run.divergences[0])
})

it('leads nowhere where it is not known who called', () => {
  expect(new RefusedError({ boundary: 'tool', name: 'find' }, undefined).stack).toBe(
    'RefusedError: The replay refused this tool call of find: the trace has no answer for it. ' +
      'The verdict of the replay says where the agent diverged from the recorded run; expect(run).toReplayWithoutDivergence() prints it.',
  )
})
