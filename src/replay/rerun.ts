import type { Divergence } from '../divergence/divergence.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import type { Trace } from '../trace/trace.ts'
import { differenceBetween } from './result/replay-differences.ts'
import { replay } from './replay.ts'
import type { ReplayedRun, RunBy } from './contract/replayed-run.ts'
import { knownOptions, type ReplayOptions } from './contract/replay-options.ts'
import type { RunSchema } from './contract/run-schema.ts'

/** How a trace is replayed several times. */
export interface RerunOptions<Context = unknown, Schema extends RunSchema = RunSchema> extends ReplayOptions<Context, Schema> {
  /** How many replays: two at the least. */
  readonly times: number
}

/** Replays of one trace, held against each other. */
export interface Rerun<Run extends ReplayedRun = ReplayedRun> {
  readonly replays: readonly Run[]
  /** Their distinct hashes, in the order in which they came up: one where the agent did the same each time. */
  readonly hashes: readonly string[]
  /** Where a replay first differs from the first of them, and why; absent where none does. */
  readonly divergence?: Divergence
}

/**
 * Replays a trace several times, one replay after the other in this process, and holds the replays against each other: with the same answers an
 * agent has to do the same. What differs is `nondeterminism`, whatever the trace says. Goes on past divergences from the trace, unless told
 * otherwise.
 *
 * @throws OptionsError for less than two times, and what `replay` throws.
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

/** Replays a run's trace so many times more, in the same way. */
export async function replayAgain(first: ReplayedRun, more: number): Promise<Rerun> {
  const replays = [first]
  for (let time = 0; time < more; time += 1) replays.push(await first.again())
  const hashes = [...new Set(replays.map(({ hash }) => hash))]
  const other = replays.find(({ hash }) => hash !== first.hash)
  return { replays, hashes, ...(other && { divergence: await differenceBetween(first, other) }) }
}

/** @throws OptionsError for what is no number of replays that could be compared. */
export function checkTimes(caller: string, times: unknown): void {
  if (typeof times === 'number' && Number.isInteger(times) && times >= 2) return
  throw new OptionsError(caller, 'times', `has to be a whole number from 2 on, got ${JSON.stringify(times)}.`)
}
