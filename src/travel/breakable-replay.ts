import { replay as replayTrace } from '../replay/replay.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { RunBy } from '../replay/contract/replayed-run.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import type { Trace } from '../trace/trace.ts'

/** The options of `replay` in scripts and tests. */
export interface BreakableOptions<Context = unknown, Schema extends RunSchema = RunSchema> extends ReplayOptions<Context, Schema> {
  /**
   * The step at which the replay stops for a debugger, in the agent's own line. It prints a port on 127.0.0.1 and waits until Chrome or an editor
   * attaches. To find that line, the agent is replayed twice before. Works only in the main thread of a process. Default: it does not stop.
   */
  readonly breakAt?: number
}

/**
 * Runs an agent's code against a recorded run: every boundary is answered from the trace, in the recorded order, with no network and no
 * wall time. An incident golden (`expect: { replay: 'departs' }`) is followed until the agent departs from it, and then continues with the
 * answers in the golden.
 *
 * @param trace A golden's name, a path to a trace, a recording's id, or a loaded trace. The folder of a conversation (`refund-talk`) means all of its
 * runs, in order: the result is that of the last run, or of the first that does not hold.
 * @param agent The agent, unchanged: called with the recorded input and `options.context`.
 * @returns The result of the replay. A divergence does not reject; use `expect(run).toReplayWithoutDivergence()`.
 * @throws GoldenrunError for a trace that cannot be read, is not of `options.agent` or does not fit `options.schema`, for an unknown option, for a
 * normalizer that throws, or `GOLDENRUN_INSPECT` if the agent is at no line of its own at the step `breakAt`.
 *
 * @example
 * const run = await replay('cancel-unshipped', supportAgent)
 */
export async function replay<Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: never, context: Context) => Output,
  options: BreakableOptions<Context, Schema> = {},
): Promise<RunBy<Schema, Awaited<Output>>> {
  const { breakAt, ...replayed } = options
  if (breakAt === undefined) return await replayTrace(trace, agent, replayed as ReplayOptions<Context, Schema>)
  const { replayAndBreak } = await import('./inspect/replay-and-break.ts')
  return (await replayAndBreak(trace, agent as (input: never, context: unknown) => unknown, replayed, breakAt)) as unknown as RunBy<
    Schema,
    Awaited<Output>
  >
}
