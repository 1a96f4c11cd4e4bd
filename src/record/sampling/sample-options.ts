import { DURATION_WORDS, parseDuration } from '../../stores/amounts.ts'
import type { RunSummary } from '../../stores/run-summary.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import { checkOptionFields } from '../../trace/errors/options-error.ts'

/**
 * Which runs are kept. A share is a number from 0 to 1, of all runs; a run's trace id decides whether it is in it, so that every process and every
 * machine decides alike. A run that is not kept leaves nothing behind.
 */
export interface SampleOptions {
  /**
   * The share of runs that are recorded at all. The others cost nothing, and nothing is known of them, were they to fail or not: leave it out where
   * every failed run has to be kept. Default: 1.
   */
  readonly head?: number
  /** The share that is kept of runs that threw. Default: 1. */
  readonly errors?: number
  /** The share that is kept of runs that were flagged, by the agent or for a repeated side effect. Default: 1. */
  readonly flagged?: number
  /** The share that is kept of runs that repeated a side effect. Default: 1. */
  readonly repeatedSideEffects?: number
  /** Runs that take longer are kept: `'30s'`. Default: none for that. */
  readonly slowerThan?: string
  /** Runs that use more tokens are kept, input and output together. Default: none for that. */
  readonly moreTokensThan?: number
  /** Runs that have more steps are kept. Default: none for that. */
  readonly moreStepsThan?: number
  /** Runs that have one of these tags are kept: with that value, or with any for `true`. Default: none for that. */
  readonly tags?: Readonly<Record<string, string | true>>
  /**
   * So many runs are kept of each agent in a version that the store has fewer of: what a new version does is seen from its first run on. Each process
   * counts on from what the store has when it meets the version. Default: 0.
   */
  readonly newVersions?: number
  /** Runs that it answers `true` to are kept; it is asked when the run has ended. Where it throws, the run is kept. Default: none for that. */
  readonly keep?: (run: RunSummary) => boolean
  /** The share that is kept of runs that nothing of the above keeps. Default: 1. */
  readonly rest?: number
}

const SHARES = ['head', 'errors', 'flagged', 'repeatedSideEffects', 'rest'] as const
const COUNTS = ['moreTokensThan', 'moreStepsThan', 'newVersions'] as const

/** @throws OptionsError for what is not as it has to be, or asks for what the store cannot do. */
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
    fail('has "newVersions", which takes a store that can find runs; this one has no "find".')
}
