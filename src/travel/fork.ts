import type { RunBy } from '../replay/contract/replayed-run.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import type { Trace } from '../trace/trace.ts'
import { prepareForks } from './fork-maker.ts'
import type { ForkOptions } from './fork-options.ts'
import { type ForkSamples, type SampleOptions, checkSamples, takeSamples } from './samples.ts'

/**
 * Follows a recorded run up to a step, and continues from there with a different answer, request, input or agent, or with
 * live models. Without `at`, it follows the run until the agent departs from it.
 *
 * @param trace As in `replay`.
 * @returns The fork as a run: its steps from `at` on have the `route` of their call, and `toTrace()` returns a trace that can be promoted. With
 * `samples`: that many forks of the same moment, and their outcomes.
 * @throws OptionsError for an unknown option or a wrong value. GoldenrunError `GOLDENRUN_FORK_POINT` if the run has no such moment.
 *
 * @example
 * const run = await fork('refund-twice', supportAgent, { at: { tool: 'refund_order' }, edit: { answer: new Error('timed out') } })
 */
export async function fork<Input, Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: Input, context: Context) => Output,
  options: ForkOptions<Input, Context, Schema> & SampleOptions,
): Promise<ForkSamples<RunBy<Schema, Awaited<Output>>>>
export async function fork<Input, Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: Input, context: Context) => Output,
  options?: ForkOptions<Input, Context, Schema>,
): Promise<RunBy<Schema, Awaited<Output>>>
export async function fork<Input, Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: Input, context: Context) => Output,
  options: ForkOptions<Input, Context, Schema> & Partial<SampleOptions> = {},
): Promise<unknown> {
  const { samples, concurrency, ...given } = options
  const { make, budget } = await prepareForks('fork', trace, agent as Agent, given)
  if (samples === undefined) return await make(0)
  checkSamples('fork', { samples, concurrency })
  return await takeSamples({ samples, concurrency }, budget, make)
}

type Agent = (input: unknown, context: unknown) => unknown
