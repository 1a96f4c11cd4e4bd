import type { Divergence } from '../../divergence/divergence.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import type { Trace } from '../../trace/trace.ts'
import { ComparedRun } from './compared-run.ts'
import type { StepPair } from './pair-steps.ts'
import { readTrace } from '../traces/read-trace.ts'
import type { ReplayedRun } from '../contract/replayed-run.ts'

/** How two runs are found. */
export interface CompareOptions {
  /** Where recordings live: a directory or a store. Default: `.goldenrun/runs` in the working directory. */
  readonly store?: string | TraceStore
}

/** Two runs, held against each other. */
export interface Comparison {
  readonly a: Trace
  readonly b: Trace
  /**
   * Where `b` differs from `a`, the earliest first and the others as its consequences: with the causes of a replay, and `outcome` of a step
   * that was answered otherwise. Empty when they are the same.
   */
  readonly divergences: readonly Divergence[]
  /** Their steps laid beside one another, in the order of `a`. */
  readonly steps: readonly StepPair[]
}

/**
 * Compares two runs: recordings, goldens, replays. Their steps are aligned by the rules of a replay, `b` in the place of the agent and `a` in
 * that of the trace, so that a trace and a replay of it come to the replay's own verdict. Answers are compared too: two recorded runs may part
 * because the world answered otherwise. What both drew from clock and chance does not count.
 *
 * @param a A golden's name, a path, a recording's id, a trace that has been read, or a replay.
 *
 * @throws GoldenrunError for a trace that is not there or cannot be read.
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
