import type { Divergence } from '../divergence/divergence.ts'
import { OptionsError, checkKnownOptions } from '../trace/errors/options-error.ts'
import type { Trace } from '../trace/trace.ts'
import { differenceBetween } from './compare/compare-runs.ts'
import { replay } from './replay.ts'
import type { ReplayedRun, RunBy } from './contract/replayed-run.ts'
import { type ReplayOptions, knownOptions } from './contract/replay-options.ts'
import type { RunSchema } from './contract/run-schema.ts'

/** The options of `rerun`. */
export interface RerunOptions<Context = unknown, Schema extends RunSchema = RunSchema> extends ReplayOptions<Context, Schema> {
  /** The number of replays, at least two. */
  readonly times: number
}

/** The result of comparing several replays of one trace. */
export interface Rerun<Run extends ReplayedRun = ReplayedRun> {
  readonly replays: readonly Run[]
  /** Their distinct hashes, in order of appearance: a single one if the agent did the same each time. */
  readonly hashes: readonly string[]
  /** The first divergence of a replay from the first one; absent if there is none. */
  readonly divergence?: Divergence
}

/**
 * Replays a trace several times in sequence in this process, and compares the replays: with the same answers, an agent has to do the same.
 * A difference is `nondeterminism`, whatever the trace says. By default, continues past divergences from the trace.
 *
 * @throws OptionsError if `times` is less than two, and what `replay` throws.
 *
 * @example
 * const { hashes } = await rerun('cancel-unshipped', supportAgent, { times: 20 })
 */
export async function rerun<Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: never, context: Context) => Output,
  options: RerunOptions<Context, Schema>,
): Promise<Rerun<RunBy<Schema, Awaited<Output>>>> {
  checkKnownOptions('rerun', options, [...knownOptions, 'times'])
  const { times, ...given } = options
  checkTimes('rerun', times)
  const first: ReplayedRun = await replay<unknown, Context>(trace, agent, { onDivergence: 'continue', ...given })
  return (await replayAgain(first, times - 1)) as unknown as Rerun<RunBy<Schema, Awaited<Output>>>
}

/** Replays a run's trace this many more times, in the same way. */
export async function replayAgain(first: ReplayedRun, more: number): Promise<Rerun> {
  const replays = [first]
  for (let time = 0; time < more; time += 1) replays.push(await first.again())
  const hashes = [...new Set(replays.map(({ hash }) => hash))]
  const other = replays.find(({ hash }) => hash !== first.hash)
  return { replays, hashes, ...(other && { divergence: await differenceBetween(first, other) }) }
}

/** @throws OptionsError if `times` is not a whole number of at least 2. */
export function checkTimes(caller: string, times: unknown): void {
  if (typeof times === 'number' && Number.isInteger(times) && times >= 2) return
  throw new OptionsError(caller, 'times', `has to be a whole number of 2 or more, got ${JSON.stringify(times)}.`)
}
