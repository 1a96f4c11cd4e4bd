import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareRuns } from '../../../src/replay/compare/compare-runs.ts'
import { replay } from '../../../src/replay/replay.ts'
import { createAgent } from '../../edits/agent.ts'
import { baseProgram } from '../../edits/base-program.ts'
import { edits } from '../../edits/edits.ts'
import { recordPrograms, type Recording } from '../../edits/record-programs.ts'
import { RunLog } from '../../edits/run-log.ts'
import { startWorld, type World } from '../../edits/world.ts'
import { expectOwnVerdicts } from './edited-replays.ts'

let world: World
let recordings: readonly Recording[]

beforeAll(async () => {
  world = await startWorld()
  recordings = await recordPrograms(world, [1, 2])
})
afterAll(() => world[Symbol.asyncDispose]())

// For each edit: like-a-replay.slow.test.ts.
it("comes to the replay's own verdict, for every eighth edit of an agent", async () => {
  const some = edits.filter((_, index) => index % 8 === 0)
  expect(await expectOwnVerdicts(world, recordings, some)).toBeGreaterThan(12)
})

it('finds two replays of one trace the same', async () => {
  for (const { trace } of recordings) {
    const agent = createAgent(baseProgram, world, new RunLog())
    expect((await compareRuns(await replay(trace, agent), await replay(trace, agent))).divergences).toEqual([])
  }
})
