import { expect, it } from 'vitest'
import { withConfiguredLines } from '../../src/config/configured-lines.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayOptions } from '../../src/replay/contract/replay-options.ts'
import { clients } from '../replay/call-sites/clients.ts'
import { recordRun } from '../support/record-run.ts'

const { trace } = await recordRun(async () => 'done')
const contexts: unknown[] = []
const agent = async (_input: never, context: unknown): Promise<unknown> => {
  contexts.push(context)
  return await clients['anthropic']?.()
}

/** The file that is named of an agent's call, and the contexts that the agent was given. */
async function linesWith(options: ReplayOptions): Promise<unknown> {
  contexts.length = 0
  let made = 0
  const fresh = async (): Promise<ReplayOptions> => ({ ...options, context: (made += 1) })
  const given = await fresh()
  const run = await withConfiguredLines(await replay(trace, agent, given), agent, given, fresh)
  return [run.divergences[0]?.site?.file.replace(/.*node_modules\//, ''), contexts]
}

it('replays once more with a context of its own to find the line of the agent', async () => {
  expect(await linesWith({})).toEqual(['test/replay/call-sites/clients.ts', [1, 2]])
  expect(await linesWith({ tools: { look: 'stub' }, answers: { look: 'packed' } })).toEqual(['test/replay/call-sites/clients.ts', [1, 2]])
})

const notAgain: readonly (readonly [what: string, options: ReplayOptions])[] = [
  ['a host is live', { live: ['shop.invalid'] }],
  ['tools run', { tools: 'run' }],
  ['a tool runs', { tools: { look: 'run' } }],
  ['one of two tools runs', { tools: { pack: 'stub', look: 'run' } }],
  ['a function runs in the place of a tool', { tools: { look: () => 'packed' } }],
  ['an answer is a function', { answers: { look: () => 'packed' } }],
]

it.each(notAgain)('replays no second time where %s', async (_, options) => {
  const [file, given] = (await linesWith(options)) as [string, unknown[]]
  expect([file.startsWith('@anthropic-ai/sdk/'), given]).toEqual([true, [1]])
})
