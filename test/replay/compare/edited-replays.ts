import { expect } from 'vitest'
import type { Divergence } from '../../../src/divergence/divergence.ts'
import { compareRuns } from '../../../src/replay/compare/compare-runs.ts'
import { replay } from '../../../src/replay/replay.ts'
import { createAgent } from '../../edits/agent.ts'
import { baseProgram } from '../../edits/base-program.ts'
import type { Edit } from '../../edits/edits.ts'
import type { Program } from '../../edits/program.ts'
import type { Recording } from '../../edits/record-programs.ts'
import { RunLog } from '../../edits/run-log.ts'
import type { World } from '../../edits/world.ts'

const modes = ['stop', 'continue'] as const
const unchanged = { name: 'nothing changed', apply: (program: Program): Program => program }

/**
 * Expects a comparison of each edited agent's replay with its recording to come to the replay's own verdict.
 *
 * @returns How many replays were red.
 */
export async function expectOwnVerdicts(world: World, recordings: readonly Recording[], edits: readonly Edit[]): Promise<number> {
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
  return red
}

function verdict([first]: readonly Divergence[]): unknown {
  return first && [first.cause, first.step, first.position, first.name, first.parts, first.differences]
}
