import { TraceNotFoundError } from '../replay/errors/trace-not-found-error.ts'
import { replay as replayTrace } from '../replay/replay.ts'
import type { RunBy } from '../replay/replayed-run.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import type { RunSchema } from '../replay/schema/run-schema.ts'
import type { Trace } from '../trace/trace.ts'
import { readGoldenMode } from './golden-mode.ts'

/** How a test replays a golden. */
export interface TestReplayOptions<Context = unknown, Schema extends RunSchema = RunSchema> extends ReplayOptions<Context, Schema> {
  /**
   * What the agent is given when `GOLDENRUN=record` records the golden for the first time; from then on the golden has it. Default: none, and
   * there has to be a golden.
   */
  readonly input?: unknown
}

/**
 * Runs an agent's code against a recorded run, as `replay` of `goldenrun/replay` does. With `GOLDENRUN=record` a golden that is named is recorded
 * anew before that: the agent runs live, with the golden's input, and that run is promoted in its place. Where there is none of that name, it is
 * recorded with `options.input`.
 *
 * @example
 * const run = await replay('cancel-unshipped', supportAgent)
 */
export async function replay<Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: never, context: Context) => Output,
  { input, ...options }: TestReplayOptions<Context, Schema> = {},
): Promise<RunBy<Schema, Awaited<Output>>> {
  if (typeof trace === 'string' && readGoldenMode() === 'record') {
    const { recordNamed } = await import('./record-named.ts')
    const given = input === undefined ? options : { ...options, input }
    await recordNamed(trace, agent as (input: never, context: unknown) => unknown, given)
  }
  try {
    return await replayTrace(trace, agent, options)
  } catch (error) {
    throw input !== undefined && TraceNotFoundError.isInstance(error) ? notRecorded(error) : error
  }
}

function notRecorded({ wanted, nearest }: TraceNotFoundError): TraceNotFoundError {
  const problem = `There is no golden trace "${wanted}" yet.`
  const advice =
    'Record it: run this test with the environment variable GOLDENRUN=record, with the keys and the network that the agent needs.'
  return new TraceNotFoundError({ wanted, nearest, problem, advice })
}
