import { replay as replayTrace } from '../replay/replay.ts'
import type { RunBy } from '../replay/replayed-run.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import type { RunSchema } from '../replay/schema/run-schema.ts'
import type { Trace } from '../trace/trace.ts'
import { readGoldenMode } from './golden-mode.ts'

/**
 * Runs an agent's code against a recorded run, as `replay` of `goldenrun/replay` does. With `GOLDENRUN=record` a golden that is named is recorded
 * anew before that: the agent runs live, with the golden's input, and that run is promoted in its place.
 *
 * @example
 * const run = await replay('cancel-unshipped', supportAgent)
 */
export async function replay<Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: never, context: Context) => Output,
  options: ReplayOptions<Context, Schema> = {},
): Promise<RunBy<Schema, Awaited<Output>>> {
  if (typeof trace === 'string' && readGoldenMode() === 'record') {
    const { recordNamed } = await import('./record-named.ts')
    await recordNamed(trace, agent as (input: never, context: unknown) => unknown, options)
  }
  return await replayTrace(trace, agent, options)
}
