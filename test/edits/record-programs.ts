import { createRecorder } from '../../src/record/recorder.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { currentRun } from '../../src/run/current-run.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { createAgent } from './agent.ts'
import { baseProgram } from './base-program.ts'
import { RunLog } from './run-log.ts'
import type { World } from './world.ts'

/** A recorded run of the base program. */
export interface Recording {
  readonly seed: number
  readonly trace: Trace
  /** What the agent told of it. */
  readonly log: RunLog
}

/** Records the base program once for each seed, all at once. */
export async function recordPrograms(world: World, seeds: readonly number[]): Promise<Recording[]> {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.path })
  try {
    return await Promise.all(
      seeds.map(async (seed) => {
        const log = new RunLog()
        const agent = createAgent(baseProgram, world, log)
        let id = ''
        await recorder.run({ agent: 'case', input: { seed } }, (input: { seed: number }) => {
          id = currentRun()?.id ?? ''
          return agent(input)
        })
        return { seed, log, trace: await readTrace(id, { store: directory.path }) }
      }),
    )
  } finally {
    await recorder.close()
  }
}
