import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Promotion } from '../replay/goldens/promote.ts'
import { promote } from './promote.ts'
import { describeFailure, recordLive, type LiveRun, type RecordLiveOptions } from '../replay/goldens/record-live.ts'

/**
 * Runs an agent live and writes that run as a new golden.
 *
 * @throws GoldenrunError `GOLDENRUN_RECORD_FAILED` when the run fails, `GOLDENRUN_GOLDEN_EXISTS` for an existing name,
 * `GOLDENRUN_PROMOTE_…` when the recording lacks what a replay needs. Nothing is written then.
 */
export async function recordFirst(
  name: string,
  run: LiveRun,
  agent: (input: never, context: unknown) => unknown,
  options: RecordLiveOptions = {},
): Promise<Promotion> {
  const recorded = await recordLive(run, agent, options)
  if ('error' in recorded) {
    const problem = `The live run of "${name}" failed, so no golden was written: ${describeFailure(recorded.error)}`
    throw new GoldenrunError('GOLDENRUN_RECORD_FAILED', problem, { cause: recorded.error })
  }
  return await promote(recorded.trace, { name })
}
