import type { ConfiguredAgent } from '../config/agent-reference.ts'
import { TraceNotFoundError } from '../replay/traces/trace-not-found-error.ts'
import { type BreakableOptions, replay as replayTrace } from '../travel/breakable-replay.ts'
import type { RunBy } from '../replay/contract/replayed-run.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import type { Trace } from '../trace/trace.ts'
import { readGoldenMode } from './golden-mode.ts'
import { noteReplay } from './test-work.ts'
import { withNamedGolden } from './named-golden.ts'
import { tellUnseen } from './tell-unseen.ts'

/** Options for replaying a golden in a test. */
export interface TestReplayOptions<Context = unknown, Schema extends RunSchema = RunSchema> extends BreakableOptions<Context, Schema> {
  /**
   * The agent's input for the first recording of the golden with `GOLDENRUN=record`; after that, the golden contains it. Default: none,
   * and the golden has to exist.
   */
  readonly input?: unknown
}

/**
 * Replays a recorded run with an agent's code, as `replay` of `goldenrun/replay` does. With `GOLDENRUN=record`, a named golden is first
 * recorded again: the agent runs live with the golden's input, and the new run replaces the golden. A golden that does not exist is recorded
 * with `options.input`. With `-u`, a test that asserts that the run holds accepts changed inputs, outcome and checkpoints into the golden,
 * unless the replay has options of its own (`answers`, `ignore`, …).
 *
 * @example
 * const run = await replay('cancel-unshipped', supportAgent)
 */
export function replay<Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: never, context: Context) => Output,
  options: TestReplayOptions<Context, Schema> = {},
): Promise<RunBy<Schema, Awaited<Output>>> {
  const what = `the replay of "${typeof trace === 'string' ? trace : trace.header.id}"`
  return noteReplay(what, () => replayInTest(trace, agent, options), tellUnseen)
}

async function replayInTest<Output, Context, Schema extends RunSchema>(
  trace: string | Trace,
  agent: (input: never, context: Context) => Output,
  { input, ...options }: TestReplayOptions<Context, Schema>,
): Promise<RunBy<Schema, Awaited<Output>>> {
  const isRecorded = typeof trace === 'string' && readGoldenMode() === 'record'
  if (isRecorded) {
    const { recordNamed } = await import('./record-named.ts')
    await recordNamed(trace, agent as ConfiguredAgent, input === undefined ? options : { ...options, input })
  }
  try {
    const run = await replayTrace(trace, agent, options)
    return typeof trace === 'string'
      ? await withNamedGolden(run, { wanted: trace, agent: agent as ConfiguredAgent, options, isRecorded })
      : run
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
