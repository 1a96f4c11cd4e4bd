import { createAgent } from './agent.ts'
import { baseProgram } from './base-program.ts'
import { SteppedClock } from './clock.ts'
import type { Edit } from './edits.ts'
import type { Program } from './program.ts'
import type { Recording } from './record-programs.ts'
import { RunLog } from './run-log.ts'
import type { World } from './world.ts'

/** What edited agents tell of themselves. */
export interface EditedLogs {
  /** @param winner How the race came out in the recording: the edited agent's world is the same. */
  get(edit: Edit, winner: string): RunLog
}

/** So many agents run at once. */
const atOnce = 200

/** Runs every edited agent in the world, without goldenrun, once for each way in which the race came out in a recording. */
export async function logEdited(world: World, recordings: readonly Recording[], edits: readonly Edit[]): Promise<EditedLogs> {
  const seeds = await seedsOf(world, recordings)
  const logs = new Map<string, RunLog>()
  const runs = edits.flatMap((edit) => [...seeds].map(([winner, seed]) => ({ edit, winner, seed })))
  while (runs.length > 0) {
    await Promise.all(
      runs.splice(0, atOnce).map(async ({ edit, winner, seed }) => {
        logs.set(`${winner} ${edit.name}`, await logProgram(world, edit.apply(baseProgram), seed))
      }),
    )
  }
  return {
    get: (edit, winner) => {
      const log = logs.get(`${winner} ${edit.name}`)
      if (log === undefined) throw new Error(`No agent with the edit "${edit.name}" was run in a world where ${winner} wins.`)
      return log
    },
  }
}

/** For each way in which the race came out in a recording, a seed with which it comes out so on a clock that no busy machine disturbs. */
async function seedsOf(world: World, recordings: readonly Recording[]): Promise<Map<string, number>> {
  const seeds = new Map<string, number>()
  await Promise.all(recordings.map(async ({ seed }) => seeds.set((await logProgram(world, baseProgram, seed)).winner, seed)))
  return seeds
}

async function logProgram(world: World, program: Program, seed: number): Promise<RunLog> {
  const log = new RunLog()
  // Where its own retries do not suffice, the agent fails: what it did until then stands in the log.
  await createAgent(program, world, log, new SteppedClock())({ seed }).catch(() => undefined)
  return log
}
