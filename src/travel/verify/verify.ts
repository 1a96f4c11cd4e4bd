import type { ReplayedRun, RunBy } from '../../replay/contract/replayed-run.ts'
import type { RunSchema } from '../../replay/contract/run-schema.ts'
import type { Trace } from '../../trace/trace.ts'
import { type PreparedForks, prepareForks } from '../fork-maker.ts'
import { decide } from './decide.ts'
import { judgeSample } from './judge-sample.ts'
import { type OwnVerifyOptions, readVerifyOptions, type VerifyOptions } from './verify-options.ts'
import { toVerification, type Verification, type VerifySample, type VerifyVerdict } from './verification.ts'

/**
 * Finds out whether a fix holds when only a model can show it. Follows a golden until the agent departs from it, and continues from there with live
 * models, many times. Tools get recorded answers, or those of `sandbox`. A sequential test (Wald's SPRT) decides whether enough samples pass, and
 * stops as early as it can.
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
  const taken = await takeUntilDecided(prepared, own)
  const { budget } = prepared
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

/** Takes samples in batches, until they decide or the budget is used up. */
async function takeUntilDecided(
  { trace, budget, make }: PreparedForks,
  own: OwnVerifyOptions,
): Promise<Pick<Verification, 'samples' | 'verdict'>> {
  const { samples, concurrency, stopEarly, checks, check } = own
  /** Indexed by seed. */
  const made: VerifySample[] = []
  let next = 0
  const makeNext = async (): Promise<VerifySample> => {
    const sample = next
    next += 1
    const run = await make(sample)
    return (made[sample] = { run, ...(await judgeSample(run, { trace, checks, check })) })
  }
  const first = await makeNext()
  // The agent never departed, so no model is called: all samples would be the same.
  if (first.run.steps.every(({ route }) => route === undefined)) return { samples: [first], verdict: verdictOf(first) }
  const isWanting = (): boolean => {
    if (made.length >= samples || budget.usedUp !== undefined) return false
    return !stopEarly || decide(made, own).verdict === 'undecided'
  }
  // In batches, so that the same samples are taken each time, and no others are paid for.
  while (isWanting()) await Promise.all(Array.from({ length: Math.min(concurrency, samples - made.length) }, makeNext))
  const { verdict, decidedBy } = decide(made, own)
  // Samples of the last batch after the deciding one do not count towards the verdict.
  return { samples: stopEarly ? made.slice(0, decidedBy) : made, verdict }
}

function verdictOf({ result }: VerifySample): VerifyVerdict {
  if (result === 'undecided') return result
  return result === 'passed' ? 'held' : 'not held'
}

/** Returns the recorded step that the run replaced when it departed from its trace; undefined if it did not depart. */
function departureOf({ divergences, incident, steps, trace }: ReplayedRun, departAt = Infinity): number | undefined {
  if (steps.every(({ route }) => route === undefined)) return undefined
  const first = divergences.find((divergence) => incident?.drift.includes(divergence) !== true)
  if (first === undefined) return departAt
  if (first.position !== 'after') return Math.min(first.step, departAt)
  const next = trace.steps.find(({ step, owner }) => owner === 0 && step > first.step)?.step ?? first.step + 1
  return Math.min(next, departAt)
}
