import type { Divergence } from '../../divergence/divergence.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import type { Trace } from '../../trace/trace.ts'
import { makeDivergence } from '../judge/finding.ts'
import { compareSeveral, type SeveralRuns } from './compare-several.ts'
import { ComparedRun } from './compared-run.ts'
import type { StepPair } from './pair-steps.ts'
import { readTrace } from '../traces/read-trace.ts'
import type { ReplayedRun } from '../contract/replayed-run.ts'

/** The options for finding the two runs. */
export interface CompareOptions {
  /** Where recordings live: a directory or a store. Default: `.goldenrun/runs` in the working directory. */
  readonly store?: string | TraceStore
}

/** The result of comparing two runs. */
export interface Comparison {
  readonly a: Trace
  readonly b: Trace
  /**
   * Where `b` differs from `a`, the earliest first and the others as its consequences. The causes are those of a replay, and `outcome` for a
   * step with a different answer. Empty if the runs are the same.
   */
  readonly divergences: readonly Divergence[]
  /** Their paired steps, in the order of `a`. */
  readonly steps: readonly StepPair[]
}

/**
 * Compares two runs: recordings, goldens, replays. Their steps are aligned by the rules of a replay, with `b` as the agent and `a` as the
 * trace, so comparing a trace with a replay of it gives the replay's own verdict. In two recorded runs, a call counts as a changed form only
 * of a call that has no equal, so an added or removed call does not shift the others. Answers are compared, too: two recorded runs may
 * differ because the world answered differently. Values that both runs read from the clock and random sources are ignored.
 *
 * @param a A golden's name, a path, a recording's id, a loaded trace, or a replay.
 *
 * With three or more runs, each is compared with the first one.
 *
 * @throws GoldenrunError for a trace that does not exist or cannot be read.
 *
 * @example
 * const { divergences } = await compareRuns('cancel-unshipped', await replay('cancel-unshipped', agent, { onDivergence: 'continue' }))
 */
export async function compareRuns(a: AnyRun, b: AnyRun, options?: CompareOptions): Promise<Comparison>
export async function compareRuns(a: AnyRun, b: AnyRun, c: AnyRun, ...more: readonly AnyRun[]): Promise<SeveralRuns>
export async function compareRuns(...given: readonly (AnyRun | CompareOptions | undefined)[]): Promise<Comparison | SeveralRuns> {
  const runs = given.filter(isRun)
  const options = given.find((each): each is CompareOptions => each !== undefined && !isRun(each))
  const traces = await Promise.all(runs.map((run) => toTrace(run, options ?? {})))
  const [a, b] = traces
  if (a === undefined || b === undefined || traces.length > 2) return await compareSeveral(traces)
  const { divergences, pairs } = await new ComparedRun(a, b).compare()
  return { a, b, divergences, steps: pairs }
}

type AnyRun = string | Trace | ReplayedRun

function isRun(given: AnyRun | CompareOptions | undefined): given is AnyRun {
  return typeof given === 'string' || (given !== undefined && ('rows' in given || 'toTrace' in given))
}

async function toTrace(run: AnyRun, options: CompareOptions): Promise<Trace> {
  if (typeof run === 'string') return await readTrace(run, options)
  return 'toTrace' in run ? run.toTrace() : run
}

/** Where two replays of one trace differ: nondeterminism, whatever the trace says. */
export async function differenceBetween(first: ReplayedRun, other: ReplayedRun): Promise<Divergence> {
  const [difference] = (await compareRuns(first, other)).divergences
  if (difference === undefined) {
    const fields = { step: first.trace.steps.length, position: 'after', expected: first.hash, received: other.hash } as const
    return makeDivergence('nondeterminism', fields)
  }
  const { cause, name } = difference
  // If only one replay made a call, the process kept its result.
  const isKept = name !== undefined && (cause === 'missing-call' || cause === 'unexpected-call')
  return { ...difference, cause: 'nondeterminism', ...(isKept && { processState: name }) }
}
