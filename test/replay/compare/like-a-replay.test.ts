import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Divergence } from '../../../src/divergence/divergence.ts'
import { compareRuns } from '../../../src/replay/compare/compare-runs.ts'
import { replay } from '../../../src/replay/replay.ts'
import { createAgent } from '../../edits/agent.ts'
import { baseProgram } from '../../edits/base-program.ts'
import { edits } from '../../edits/edits.ts'
import type { Program } from '../../edits/program.ts'
import { recordPrograms, type Recording } from '../../edits/record-programs.ts'
import { RunLog } from '../../edits/run-log.ts'
import { startWorld, type World } from '../../edits/world.ts'

let world: World
let recordings: readonly Recording[]

beforeAll(async () => {
  world = await startWorld()
  recordings = await recordPrograms(world, [1, 2])
})
afterAll(() => world[Symbol.asyncDispose]())

const modes = ['stop', 'continue'] as const
const unchanged = { name: 'nothing changed', apply: (program: Program): Program => program }

it(`comes to the replay's own verdict, for ${edits.length} edits of an agent`, { timeout: 120_000 }, async () => {
  let red = 0
  for (const { trace, seed } of recordings) {
    for (const edit of [unchanged, ...edits]) {
      for (const onDivergence of modes) {
        const run = await replay(trace, createAgent(edit.apply(baseProgram), world, new RunLog()), { onDivergence })
        const { divergences } = await compareRuns(trace, run)
        expect(verdict(divergences), `${edit.name}, ${onDivergence}, seed ${seed}`).toEqual(verdict(run.divergences))
        if (run.divergences.length > 0) red += 1
      }
    }
  }
  expect(edits.length).toBeGreaterThan(50)
  expect(red).toBeGreaterThan(100)
})

it('finds two replays of one trace the same', async () => {
  for (const { trace } of recordings) {
    const agent = createAgent(baseProgram, world, new RunLog())
    expect((await compareRuns(await replay(trace, agent), await replay(trace, agent))).divergences).toEqual([])
  }
})

function verdict([first]: readonly Divergence[]): unknown {
  return first && [first.cause, first.step, first.position, first.name, first.parts, first.differences]
}
