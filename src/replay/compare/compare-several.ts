import type { Divergence } from '../../divergence/divergence.ts'
import { sumUsage } from '../../models/usage.ts'
import type { Usage } from '../../trace/rows.ts'
import { type SideEffect, sideEffectsOf } from '../../trace/side-effects.ts'
import type { Trace } from '../../trace/trace.ts'
import { modelCallsOf } from '../traces/model-calls.ts'
import { toolCallsOf } from '../traces/tool-calls.ts'
import { ComparedRun } from './compared-run.ts'

/** Several runs side by side: forks of the same moment, candidate fixes. */
export interface SeveralRuns {
  readonly runs: readonly RunBesideOthers[]
}

/** One of several runs. */
export interface RunBesideOthers {
  readonly trace: Trace
  readonly sideEffects: readonly SideEffect[]
  readonly modelCalls: number
  readonly toolCalls: number
  readonly usage: Usage
  /** Where it first differs from the first run. Absent if it does not differ, and for the first run itself. */
  readonly difference?: Divergence
}

/** Compares runs with the first one. */
export async function compareSeveral(traces: readonly Trace[]): Promise<SeveralRuns> {
  const [first] = traces
  const runs = await Promise.all(
    traces.map(async (trace): Promise<RunBesideOthers> => {
      const calls = modelCallsOf(trace.steps)
      const [difference] = first === undefined || trace === first ? [] : (await new ComparedRun(first, trace).compare()).divergences
      return {
        trace,
        sideEffects: sideEffectsOf(trace.steps, trace.header),
        modelCalls: calls.length,
        toolCalls: toolCallsOf(trace.steps, calls).length,
        usage: sumUsage(calls.map(({ answer }) => answer?.usage)),
        ...(difference && { difference }),
      }
    }),
  )
  return { runs }
}
