import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { RunBy } from '../replay/contract/replayed-run.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import { replay, resolveTrace } from '../replay/replay.ts'
import type { Trace } from '../trace/trace.ts'
import { tailTrace } from './tail-trace.ts'

/** The options of `resume`. */
export interface ResumeOptions<Context = unknown, Schema extends RunSchema = RunSchema> extends ReplayOptions<Context, Schema> {
  /** The name of the checkpoint. */
  readonly checkpoint: string
  /** The number of the checkpoint among those of that name. Default: 1, the first. */
  readonly nth?: number
}

/**
 * Replays a recorded run from a checkpoint on, without what came before it. The clock, ids and random values are those of that moment, and calls that
 * were open there can be made again. The state is in `currentRun().resumedFrom`. A function that cannot continue from the state has to be replayed
 * from the start.
 *
 * @param trace As in `replay`.
 * @param resumeFn Called with the recorded input and `options.context`, just like the agent.
 * @returns The rest of the run. Its steps have their recorded numbers.
 * @throws GoldenrunError `GOLDENRUN_RESUME` if the run did not reach the checkpoint, or a tool did; and as `replay` does.
 *
 * @example
 * const run = await resume('refund-twice', goOnWithRefund, { checkpoint: 'order-found' })
 */
export async function resume<Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  resumeFn: (input: never, context: Context) => Output,
  { checkpoint, nth, ...options }: ResumeOptions<Context, Schema>,
): Promise<RunBy<Schema, Awaited<Output>>> {
  const { trace: whole } = await resolveTrace(trace, options)
  return await replay(tailTrace(whole, checkpoint, nth), resumeFn, options)
}
