import { DURATION_WORDS, parseDuration } from '../../stores/amounts.ts'
import type { RunSummary } from '../../stores/run-summary.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { checkOptionFields } from '../../trace/errors/options-error.ts'

/**
 * Which runs are kept. A share is a number from 0 to 1, of all runs. A run's trace id decides whether it belongs to a share, so that every process
 * and machine decides alike. A run that is not kept leaves nothing behind.
 */
export interface SampleOptions {
  /**
   * The share of runs that are recorded at all. The others cost nothing, but nothing is known about them, even if they fail: omit this if every
   * failed run has to be kept. Default: 1.
   */
  readonly head?: number
  /** The share of runs that threw that is kept. Default: 1. */
  readonly errors?: number
  /** The share of flagged runs that is kept, whether the agent flagged them or a repeated side effect did. Default: 1. */
  readonly flagged?: number
  /** The share of runs with a repeated side effect that is kept. Default: 1. */
  readonly repeatedSideEffects?: number
  /** Keeps runs that take longer: `'30s'`. Default: off. */
  readonly slowerThan?: string
  /** Keeps runs that use more tokens, input and output together. Default: off. */
  readonly moreTokensThan?: number
  /** Keeps runs that have more steps. Default: off. */
  readonly moreStepsThan?: number
  /** Keeps runs that have one of these tags: with this value, or with any value for `true`. Default: off. */
  readonly tags?: Readonly<Record<string, string | true>>
  /**
   * The number of runs that are kept of each version of an agent while the store has fewer: a new version is visible from its first run on. Each
   * process counts on from the store's number when it first meets the version. Default: 0.
   */
  readonly newVersions?: number
  /** Keeps runs for which this returns `true`; called when the run has ended. If it throws, the run is kept. Default: off. */
  readonly keep?: (run: RunSummary) => boolean
  /** The share of runs that is kept when no option above keeps them. Default: 1. */
  readonly rest?: number
}

const SHARES = ['head', 'errors', 'flagged', 'repeatedSideEffects', 'rest'] as const
const COUNTS = ['moreTokensThan', 'moreStepsThan', 'newVersions'] as const

/** @throws OptionsError for invalid options, and for options that the store does not support. */
export function checkSampleOptions(caller: string, sample: SampleOptions | undefined, store: TraceStore): void {
  if (sample === undefined) return
  const fail = checkOptionFields(caller, 'sample', sample, [...SHARES, ...COUNTS, 'slowerThan', 'tags', 'keep'])
  for (const name of SHARES) {
    const share = sample[name] ?? 1
    if (!(typeof share === 'number' && share >= 0 && share <= 1)) fail(`has to have a number from 0 to 1 as "${name}".`)
  }
  for (const name of COUNTS) {
    const count = sample[name] ?? 0
    if (!(typeof count === 'number' && count >= 0)) fail(`has to have a number as "${name}".`)
  }
  if (sample.slowerThan !== undefined && parseDuration(sample.slowerThan) === undefined)
    fail(`has to have ${DURATION_WORDS} as "slowerThan".`)
  if (sample.keep !== undefined && typeof sample.keep !== 'function') fail('has to have a function as "keep".')
  if ((sample.newVersions ?? 0) > 0 && store.find === undefined)
    fail('has "newVersions", which needs a store that can find runs; this one has no "find".')
}
