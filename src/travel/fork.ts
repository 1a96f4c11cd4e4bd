import { runReplay, resolveTrace } from '../replay/replay.ts'
import type { ReplayOptions, ReplaySettings } from '../replay/contract/replay-options.ts'
import type { ReplayedRun, RunBy } from '../replay/contract/replayed-run.ts'
import type { RunSchema } from '../replay/contract/run-schema.ts'
import type { ReplayedTrace } from '../replay/result/replay-telemetry.ts'
import type { Trace } from '../trace/trace.ts'
import { Budget } from './budget.ts'
import { cutTrace } from './cut-trace.ts'
import { ForkMoment } from './fork-moment.ts'
import { type ForkOptions, type OwnOptions, readForkOptions } from './fork-options.ts'
import { type ForkPlace, findForkPoint } from './fork-point.ts'
import { type ForkSamples, type SampleOptions, checkSamples, takeSamples } from './samples.ts'

/**
 * Follows a recorded run up to a step, and goes on from there with something changed: another answer, another request, another input,
 * another agent, live models. Without `at`, it follows the run until the agent departs from it.
 *
 * @param trace As in `replay`.
 * @returns The fork as a run: its steps from `at` on have the `route` of their call, and `toTrace()` is a trace that can be promoted.
 * With `samples`, so many forks of the same moment, and their outcomes.
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
  const { rest, own, settings } = readForkOptions(given)
  const budget = new Budget(own.budget)
  const read = await resolveTrace(trace, rest)
  const maker = new ForkMaker({ agent, options: rest, settings: withGoldenAnswers(settings, read.trace), own, budget, read } as Making)
  if (samples === undefined) return await maker.make(own.seed)
  checkSamples(samples, concurrency)
  return await takeSamples({ samples, concurrency }, budget, (sample) => maker.make(own.seed + sample))
}

/** What forks of one moment are made of. */
interface Making {
  readonly read: ReplayedTrace
  readonly agent: (input: unknown, context: unknown) => unknown
  readonly options: ReplayOptions
  readonly settings: ReplaySettings
  readonly own: OwnOptions
  readonly budget: Budget
}

/** Makes forks of one moment of a trace. */
class ForkMaker {
  readonly #making: Making
  readonly #moment: ForkMoment
  readonly #cut: Trace

  constructor(making: Making) {
    const { read, own, settings, budget } = making
    const { trace } = read
    const place = own.at === undefined ? atDeparture(trace) : findForkPoint(trace, own.at, settings.running)
    this.#making = making
    this.#moment = new ForkMoment({ trace, place, settings, own, budget })
    this.#cut = cutTrace(trace, place.place, this.#moment.forkedFrom)
  }

  async make(seed: number): Promise<ReplayedRun> {
    const { read, agent, options, settings, own } = this.#making
    const chance = { seed, ahead: own.clock === 'now' ? aheadAt(this.#cut) : 0 }
    const forked = {
      ...settings,
      chance,
      router: this.#moment.router(seed),
      ...(own.input !== undefined && { given: { input: own.input } }),
    }
    return await runReplay({ ...read, trace: this.#cut }, agent, options, forked)
  }
}

/** The golden of an incident has answers for what the agent calls in place of it. */
function withGoldenAnswers(settings: ReplaySettings, { header }: Trace): ReplaySettings {
  const expectation = header.golden?.expect
  if (expectation?.replay !== 'departs') return settings
  return { ...settings, answers: { ...expectation.answers, ...settings.answers } }
}

/** The whole trace is followed, until the agent departs from it. */
function atDeparture({ rows }: Trace): ForkPlace {
  return { place: rows.length, step: undefined }
}

/** How far the real time is ahead of the fork's at its step, in milliseconds. */
function aheadAt({ header, rows }: Trace): number {
  const last = rows.findLast((row) => 'at' in row)
  return Date.now() - Date.parse(header.startedAt) - (last !== undefined && 'at' in last ? last.at : 0)
}
