import type { Divergence } from '../../src/divergence/divergence.ts'
import { replay } from '../../src/replay/replay.ts'
import { createAgent } from './agent.ts'
import { baseProgram } from './base-program.ts'
import type { Edit } from './edits.ts'
import { expectedVerdict, type Verdict } from './expected-verdict.ts'
import { logEdited } from './log-edited.ts'
import { recordPrograms } from './record-programs.ts'
import { RunLog } from './run-log.ts'
import { startWorld } from './world.ts'

/** Which cells of the matrix are tried. */
export interface Matrix {
  readonly edits: readonly Edit[]
  /** The seeds of the recordings: each edit is tried against each of them. */
  readonly seeds: readonly number[]
  /** Called now and then. */
  readonly onProgress?: (cells: number, of: number) => void
}

/** What came of it. */
export interface MatrixResult {
  readonly cells: number
  /** A line for each cell whose verdict is not the expected one, with the seed of its recording. */
  readonly wrong: readonly string[]
}

/** A replay that takes so long, in milliseconds, never ends: far beyond what the guard against stuck runs allows, on any machine. */
const deadlock = 30_000

/** Replays every edited agent against every recording, and holds each verdict against the one that the agents' own logs call for. */
export async function runMatrix({ edits, seeds, onProgress }: Matrix): Promise<MatrixResult> {
  await using world = await startWorld()
  const recordings = await recordPrograms(world, seeds)
  const logs = await logEdited(world, recordings, edits)
  const wrong: string[] = []
  let cells = 0
  for (const edit of edits) {
    for (const { seed, trace, log } of recordings) {
      const expected = tell(expectedVerdict(trace, log, logs.get(edit, log.winner)))
      const run = await endOf(replay(trace, createAgent(edit.apply(baseProgram), world, new RunLog())))
      const got = run === undefined ? 'no end' : tell(run.divergences[0])
      const isRight = got === expected && (got !== 'green' || run?.hash === trace.hash)
      if (!isRight) wrong.push(`${edit.name}: expected ${expected}, got ${got} (seed ${seed}, ${log.winner} first)`)
      cells += 1
      if (cells % 1000 === 0) onProgress?.(cells, edits.length * recordings.length)
    }
  }
  return { cells, wrong }
}

function tell(verdict: Verdict | Divergence | undefined): string {
  return verdict === undefined ? 'green' : `${verdict.cause} ${verdict.position} ${verdict.step}`
}

/** What a promise comes to, or undefined where it never does. */
async function endOf<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  const never = Promise.withResolvers<undefined>()
  const timer = setTimeout(never.resolve, deadlock, undefined)
  try {
    return await Promise.race([promise, never.promise])
  } finally {
    clearTimeout(timer)
  }
}
