import { describeDivergence } from '../../divergence/report/cause-words.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import { refusalOf } from '../../divergence/report/rebase-refusal.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { readTraceText } from '../traces/read-trace-text.ts'
import type { Golden, RunRow } from '../../trace/run-row.ts'
import type { Row } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { standInsOf } from '../../redaction/trace-stand-ins.ts'
import { contractsOf } from '../traces/contracts.ts'
import { digest } from '../traces/digest.ts'
import { writeGolden } from './promotion/to-golden.ts'
import { changesOf, type AcceptedChange } from './rebase/accepted-change.ts'
import { takeInputs, takeOver } from './rebase/take-over.ts'
import { replay } from '../replay.ts'
import type { ReplayedRun } from '../contract/replayed-run.ts'
import type { ReplayOptions } from '../contract/replay-options.ts'

/** The result of preparing a rebase. Nothing is written yet. */
export type Rebase =
  /** The golden holds unchanged. */
  | { readonly status: 'held' }
  | {
      readonly status: 'rebased'
      readonly text: string
      readonly changes: readonly AcceptedChange[]
      /** A replay of the rebased golden, which holds. */
      readonly run: ReplayedRun
    }
  /** The golden needs answers that were not recorded, or a decision by the user. */
  | ({ readonly status: 'refused' } & RefusedRun)

/** Why a run is not accepted into its golden. */
export interface RefusedRun {
  /** A clause: `step 4 (unexpected call) needs answers that were not recorded`. */
  readonly reason: string
  /** Whether recording the golden again does not help either. Default: it helps. */
  readonly isLasting?: true
}

/** The options of a rebase. */
export interface RebaseOptions extends Omit<ReplayOptions, 'onDivergence'> {
  /** ISO 8601. Default: now. */
  readonly rebasedAt?: string
}

/**
 * Accepts an agent's changed inputs, outcome and checkpoints into a golden, and keeps its recorded answers. Apart from that, only the header
 * changes: it gets the time of the rebase.
 *
 * @param trace The golden.
 * @returns The golden's new text and the changes, or why it has to be recorded again. Nothing is written.
 */
export async function prepareRebase(
  trace: Trace,
  agent: (input: never, context: unknown) => unknown,
  { rebasedAt = new Date().toISOString(), ...options }: RebaseOptions = {},
): Promise<Rebase> {
  const { golden } = trace.header
  if (golden === undefined) return { status: 'refused', reason: 'it is a recording, not a golden' }
  const run = await replay(trace, agent, { ...options, onDivergence: 'continue' })
  if (run.divergences.length === 0) return { status: 'held' }
  const refusal = refusalAgainst(run)
  if (refusal !== undefined) return { status: 'refused', ...refusal }
  const rebased = await withRows(trace, golden, run, takeOver(trace, run, options.redact), rebasedAt)
  // The rebased golden has to hold, or the next run would be red again.
  const again = await replay(rebased.trace, agent, options)
  const [first] = again.divergences
  if (first !== undefined)
    return { status: 'refused', reason: `it would not hold: ${describeDivergence(first)} differs from one replay to the next` }
  return { status: 'rebased', text: rebased.text, changes: changesOf(run.divergences), run: again }
}

function refusalAgainst(run: ReplayedRun): RefusedRun | undefined {
  for (const divergence of run.divergences) {
    const refusal = refusalOf(run, divergence)
    if (refusal === undefined) continue
    const { reason, instead } = refusal
    return { reason: `${describeDivergence(divergence)} ${reason}`, ...(instead !== undefined && { isLasting: true }) }
  }
  return run.outcome.status === 'stopped' ? { reason: 'its replay was stopped' } : undefined
}

/** Accepts only the inputs of some steps. @param changed Their differences. */
export async function rebaseInputs(
  trace: Trace,
  run: ReplayedRun,
  changed: readonly Divergence[],
  { rebasedAt = new Date().toISOString(), redact }: RebaseOptions,
): Promise<Rebased> {
  const { golden } = trace.header
  if (golden === undefined) throw new GoldenrunError('GOLDENRUN_REBASE', 'Only a golden can be rebased, and this is a recording.')
  return await withRows(trace, golden, run, takeInputs(trace, run, new Set(changed.map(({ step }) => step)), redact), rebasedAt)
}

/** A golden as it would be written. */
interface Rebased {
  readonly text: string
  readonly trace: Trace
}

async function withRows(trace: Trace, golden: Golden, run: ReplayedRun, taken: readonly Row[], rebasedAt: string): Promise<Rebased> {
  const [header, ...rows] = taken
  if (header?.kind !== 'run') throw new GoldenrunError('GOLDENRUN_REBASE', 'A trace starts with its run row, and this one does not.')
  const steps = trace.steps.map((step) => run.steps.find((replayed) => replayed.step === step.step) ?? step)
  const rebased: RunRow = {
    ...header,
    contracts: contractsOf(steps, digest, standInsOf({ header, rows: taken })),
    golden: { ...golden, ...(rebasedAt && { rebasedAt }) },
  }
  const { text } = writeGolden(rebased, rows)
  // A golden that cannot be read back must not be written.
  return { text, trace: await readTraceText(text, golden.name) }
}
