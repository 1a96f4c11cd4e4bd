import { startFinding, startReading } from '../../../src/travel/inspect/inspected-replay.ts'
import { EnvironmentMask } from '../../../src/travel/inspect/environment-mask.ts'
import { defaultLimits } from '../../../src/travel/inspect/inspected-run.ts'
import type { Program } from '../../chaos/program.ts'

/** What came of many inspected replays of one recording. */
export interface RepeatedInspection {
  readonly about: string
  readonly replays: number
  /** How many had the hash of the trace, which a replay without an inspector has. */
  readonly equal: number
  /** Frames that were read in each replay: each distinct number. */
  readonly frames: readonly number[]
}

/** Records a program once, and inspects it so many times. */
export async function repeatInspected({ about, agent, record }: Program, replays: number): Promise<RepeatedInspection> {
  const trace = await record()
  const inspected = { agent: agent as (input: never, context: unknown) => unknown, options: {} }
  const { found = { places: [], ofCall: [] } } = await (await startFinding()).replay(trace, inspected)
  const environment = new EnvironmentMask()
  const frames = new Set<number>()
  let equal = 0
  for (let count = 0; count < replays; count += 1) {
    const { hash, steps = [] } = await (await startReading(found, defaultLimits, environment)).replay(trace, inspected)
    if (hash === trace.hash) equal += 1
    frames.add(steps.reduce((sum, step) => sum + step.frames.length + (step.after?.length ?? 0), 0))
  }
  return { about, replays, equal, frames: [...frames] }
}
