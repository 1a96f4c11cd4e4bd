import type { Divergence } from '../../divergence/divergence.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import type { Trace } from '../../trace/trace.ts'
import { makeDivergence } from '../judge/finding.ts'
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
   * Where `b` differs from `a`, the earliest first and the others as its consequences: with the causes of a replay, and `outcome` for a
   * step with a different answer. Empty if the runs are the same.
   */
  readonly divergences: readonly Divergence[]
  /** Their paired steps, in the order of `a`. */
  readonly steps: readonly StepPair[]
}

/**
 * Compares two runs: recordings, goldens, replays. Their steps are aligned by the rules of a replay, with `b` as the agent and `a` as the
 * trace, so comparing a trace with a replay of it gives the replay's own verdict. Answers are compared too: two recorded runs may differ
 * because the world answered differently. Values that both read from the clock and random sources are ignored.
 *
 * @param a A golden's name, a path, a recording's id, a loaded trace, or a replay.
 *
 * @throws GoldenrunError for a trace that does not exist or cannot be read.
 *
 * @example
 * const { divergences } = await compareRuns('cancel-unshipped', await replay('cancel-unshipped', agent, { onDivergence: 'continue' }))
 */
export async function compareRuns(
  a: string | Trace | ReplayedRun,
  b: string | Trace | ReplayedRun,
  options: CompareOptions = {},
): Promise<Comparison> {
  const [traceA, traceB] = [await toTrace(a, options), await toTrace(b, options)]
  const { divergences, pairs } = await new ComparedRun(traceA, traceB).compare()
  return { a: traceA, b: traceB, divergences, steps: pairs }
}

async function toTrace(run: string | Trace | ReplayedRun, options: CompareOptions): Promise<Trace> {
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
  // A call that only one replay made was kept by the process.
  const isKept = name !== undefined && (cause === 'missing-call' || cause === 'unexpected-call')
  return { ...difference, cause: 'nondeterminism', ...(isKept && { processState: name }) }
}
