import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import type { RunSchema } from '../../replay/contract/run-schema.ts'
import { OptionsError } from '../../trace/errors/options-error.ts'
import type { Check } from '../../trace/run-row.ts'
import type { ForkOptions } from '../fork-options.ts'
import { wholeRunMatchers } from '../../matchers/whole-run-matchers.ts'
import { checkSamples } from '../samples.ts'

/** The options of `verify`. */
export interface VerifyOptions<Input = unknown, Context = unknown, Schema extends RunSchema = RunSchema> extends Omit<
  ForkOptions<Input, Context, Schema>,
  'at' | 'edit' | 'prefix' | 'then' | 'cache'
> {
  /** The maximum number of samples; fewer are taken if they decide. Default: 20. */
  readonly samples?: number
  /** The share of samples that has to pass, above 0 and at most 1. Default: 0.9. */
  readonly atLeast?: number
  /** How far below `atLeast` a share counts as failing. Default: 0.2, or half of `atLeast` if that is less. */
  readonly margin?: number
  /** How many samples run at once. Default: 4. */
  readonly concurrency?: number
  /** Whether to stop as soon as the verdict is known. Comparisons need all samples. Default: true. */
  readonly stopEarly?: boolean
  /**
   * The recorded step from which models are called live even if the agent does the same there: the `departure` of another verification, to compare
   * with it. Default: none.
   */
  readonly departAt?: number | undefined
  /** Matchers by name with their arguments, in addition to those of the golden. Default: none. */
  readonly checks?: readonly Check[]
  /** Judges a sample: it fails if this returns false or throws, as a failed `expect` does. Default: none. */
  readonly check?: (run: ReplayedRun) => unknown
  /** A directory that keeps live answers, redacted; false for none. Default: `.goldenrun/cache/forks`. */
  readonly cache?: string | false
}

/** The options that only a verification has, with their defaults. */
export interface OwnVerifyOptions extends Required<Pick<VerifyOptions, 'samples' | 'atLeast' | 'concurrency' | 'stopEarly' | 'checks'>> {
  readonly margin: number | undefined
  readonly departAt: number | undefined
  readonly check: VerifyOptions['check']
}

/** Splits options into those of a verification and those of its forks. Throws an `OptionsError` for a wrong value. */
export function readVerifyOptions({
  samples = 20,
  atLeast = 0.9,
  margin,
  concurrency = 4,
  stopEarly = true,
  departAt,
  checks = [],
  check,
  cache = '.goldenrun/cache/forks',
  ...rest
}: VerifyOptions): { readonly own: OwnVerifyOptions; readonly forks: ForkOptions } {
  checkSamples('verify', { samples, concurrency })
  if (typeof atLeast !== 'number' || !(atLeast > 0 && atLeast <= 1))
    throw new OptionsError('verify', 'atLeast', `has to be a number above 0 and at most 1, got ${JSON.stringify(atLeast)}.`)
  if (margin !== undefined && !(margin > 0 && margin < atLeast))
    throw new OptionsError('verify', 'margin', `has to be a number above 0 and below atLeast (${atLeast}), got ${JSON.stringify(margin)}.`)
  if (check !== undefined && typeof check !== 'function') throw new OptionsError('verify', 'check', 'has to be a function of the run.')
  for (const { matcher } of checks) {
    if (!Object.hasOwn(wholeRunMatchers, matcher))
      throw new OptionsError(
        'verify',
        'checks',
        `names ${JSON.stringify(matcher)}. The checks are: ${Object.keys(wholeRunMatchers).join(', ')}.`,
      )
  }
  if (departAt !== undefined && !(Number.isInteger(departAt) && departAt >= 1))
    throw new OptionsError('verify', 'departAt', `has to be a step number, got ${JSON.stringify(departAt)}.`)
  for (const name of ['at', 'edit', 'prefix', 'then']) {
    if (name in rest) throw new OptionsError('verify', name, 'belongs to `fork`: `verify` runs the agent as it is, with live models.')
  }
  return {
    own: { samples, atLeast, margin, concurrency, stopEarly, checks, check, departAt },
    // Models are live; everything else is recorded or comes from the sandbox.
    forks: {
      ...rest,
      then: 'live',
      route: { http: ['recorded', 'sandbox'], tool: ['recorded', 'sandbox'], external: ['recorded', 'sandbox'], ...rest.route },
      ...(cache !== false && { cache }),
    },
  }
}
