import type { ReplayedRun, RunBy } from '../../replay/contract/replayed-run.ts'
import type { RunSchema } from '../../replay/contract/run-schema.ts'
import type { Trace } from '../../trace/trace.ts'
import type { Budget } from '../budget.ts'
import { type ForkMaker, prepareForks } from '../fork-maker.ts'
import { decide } from './decide.ts'
import { judgeSample, type SampleRules } from './judge-sample.ts'
import { type OwnVerifyOptions, readVerifyOptions, type VerifyOptions } from './verify-options.ts'
import { toVerification, type Verification, type VerifySample, type VerifyVerdict } from './verification.ts'

/**
 * Finds out whether a fix holds that only a model can judge. Follows a golden until the agent departs from it, and continues from there with
 * live models, many times. Tools get recorded answers, or those of `sandbox`. A sequential test (Wald's SPRT) decides whether enough samples
 * pass, and stops as soon as it can.
 *
 * @param trace As in `replay`.
 * @returns The verdict with its evidence. A failed provider or a refused call makes a sample undecided, never passed.
 * @throws OptionsError for an unknown option or a wrong value; and as `replay` does.
 *
 * @example
 * expect(await verify('refund-twice', supportAgent, { samples: 20 })).toPassAtLeast(0.9)
 */
export async function verify<Input, Output, Context = unknown, Schema extends RunSchema = RunSchema>(
  trace: string | Trace,
  agent: (input: Input, context: Context) => Output,
  options: VerifyOptions<Input, Context, Schema> = {},
): Promise<Verification<RunBy<Schema, Awaited<Output>>>> {
  const { own, forks } = readVerifyOptions(options)
  const body = agent as (input: unknown, context: unknown) => unknown
  const prepared = await prepareForks('verify', trace, body, forks, { departsAt: own.departAt })
  const { maker, budget } = prepared
  const { checks, check } = own
  const taken = await new Sampling(maker, budget, own, { trace: prepared.trace, checks, check }).take()
  const { golden, id } = prepared.trace.header
  const departure = taken.samples.map(({ run }) => departureOf(run, own.departAt)).find((step) => step !== undefined)
  return toVerification({
    name: golden?.name ?? id,
    atLeast: own.atLeast,
    ...taken,
    ...(departure !== undefined && { departure }),
    spent: budget.spent,
    ...(budget.usedUp !== undefined && { usedUp: budget.usedUp }),
  }) as unknown as Verification<RunBy<Schema, Awaited<Output>>>
}

/** Takes samples, in batches, until they decide or the budget is used up. */
class Sampling {
  readonly #maker: ForkMaker
  readonly #budget: Budget
  readonly #own: OwnVerifyOptions
  readonly #rules: SampleRules
  /** By their seeds. */
  readonly #made: VerifySample[] = []
  #next = 0

  constructor(maker: ForkMaker, budget: Budget, own: OwnVerifyOptions, rules: SampleRules) {
    this.#maker = maker
    this.#budget = budget
    this.#own = own
    this.#rules = rules
  }

  async take(): Promise<Pick<Verification, 'samples' | 'verdict'>> {
    const { samples, concurrency, stopEarly } = this.#own
    const first = await this.#makeNext()
    // The agent never departed, so no model has anything to say: each sample would be the same.
    if (first.run.steps.every(({ route }) => route === undefined)) return { samples: [first], verdict: verdictOf(first) }
    // In batches, so that the same samples are taken each time, and none but those is paid for.
    while (this.#isWanting) {
      const batch = Math.min(concurrency, samples - this.#made.length)
      await Promise.all(Array.from({ length: batch }, () => this.#makeNext()))
    }
    const { verdict, decidedBy } = decide(this.#made, this.#own)
    // What the last batch has beyond the sample that decided has no part in the verdict.
    return { samples: stopEarly ? this.#made.slice(0, decidedBy) : this.#made, verdict }
  }

  get #isWanting(): boolean {
    const { samples, stopEarly } = this.#own
    if (this.#made.length >= samples || this.#budget.usedUp !== undefined) return false
    return !stopEarly || decide(this.#made, this.#own).verdict === 'undecided'
  }

  async #makeNext(): Promise<VerifySample> {
    const sample = this.#next
    this.#next += 1
    const run = await this.#maker.make(sample)
    return (this.#made[sample] = { run, ...(await judgeSample(run, this.#rules)) })
  }
}

function verdictOf({ result }: VerifySample): VerifyVerdict {
  if (result === 'undecided') return result
  return result === 'passed' ? 'held' : 'not held'
}

/** The recorded step in whose place a run departed from its trace; undefined if it did not. */
function departureOf({ divergences, incident, steps, trace }: ReplayedRun, departAt = Infinity): number | undefined {
  if (steps.every(({ route }) => route === undefined)) return undefined
  const first = divergences.find((divergence) => incident?.drift.includes(divergence) !== true)
  if (first === undefined) return departAt
  if (first.position !== 'after') return Math.min(first.step, departAt)
  const next = trace.steps.find(({ step, owner }) => owner === 0 && step > first.step)?.step ?? first.step + 1
  return Math.min(next, departAt)
}
