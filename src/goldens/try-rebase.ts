import type { ConfiguredAgent } from '../config/agent-reference.ts'
import { prepareRebase, type Rebase, rebaseInputs, type RebaseOptions, type RefusedRun } from '../replay/goldens/rebase.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import { readEarlier } from '../replay/traces/earlier-goldens.ts'
import type { Trace } from '../trace/trace.ts'
import type { PreparedRebase } from './keep-rebase.ts'
import type { RefusedRebase } from './results/golden-result.ts'
import type { Divergence } from '../divergence/divergence.ts'
import { judgeGolden } from '../matchers/judge-golden.ts'
import { statusOf, type Verdict } from '../matchers/holds.ts'
import type { IncidentRun } from '../replay/judge/incident/incident-watch.ts'
import { changesOf } from '../replay/goldens/rebase/accepted-change.ts'

/** The rebase of a failing golden, with the replay that then holds; or why it is not rebased. */
export type RebaseTried =
  | { readonly rebase: PreparedRebase; readonly run: ReplayedRun; readonly refusal?: never }
  | { readonly refusal: RefusedRebase; readonly rebase?: never; readonly run?: never }

/** Prepares the rebase of a failing golden, or explains why it is not rebased. @param command The command that records it again. */
export async function rebaseGolden(
  file: string,
  trace: Trace,
  agent: ConfiguredAgent,
  options: ReplayOptions,
  command: string | undefined,
): Promise<RebaseTried> {
  const isIncident = trace.header.golden?.expect.replay === 'departs'
  const rebase = isIncident ? await prepareIncidentRebase(trace, agent, options) : await prepareRebase(trace, agent, options)
  if (rebase.status === 'rebased') return { rebase: { file, text: rebase.text, changes: rebase.changes }, run: rebase.run }
  const { reason, isLasting } = rebase.status === 'held' ? heldAgain : rebase
  return { refusal: { reason, ...(isIncident || isLasting === true || command === undefined ? {} : { command }) } }
}

const heldAgain: RefusedRun = { reason: 'it held on the second attempt' }

/**
 * Returns the earlier runs of a golden's conversation as `-u` rebases them, so that one `-u` accepts a change into all of them. Each run's test
 * writes its own golden.
 *
 * @returns Undefined if one of them cannot be rebased.
 */
export async function rebaseEarlier(
  trace: Trace,
  agent: ConfiguredAgent,
  options: () => Promise<ReplayOptions>,
): Promise<readonly Trace[] | undefined> {
  const rebased: Trace[] = []
  for (const earlier of await readEarlier(trace)) {
    const result = await prepareRebase(earlier, agent, { ...(await options()), after: [...rebased] })
    if (result.status === 'refused') return undefined
    rebased.push(result.status === 'held' ? earlier : result.run.trace)
  }
  return rebased
}

const nothingToTake = 'it is the golden of an incident, which the agent has to depart from'

/**
 * Accepts changed inputs of model calls and reads before the trigger into an incident golden. The definition of the incident stays: the trigger,
 * the call that must not be repeated, answers, checks, and every write. The verdict, held or repeated, has to stay the same with the accepted
 * changes.
 *
 * @returns The golden's new text and the changes, or why it is not rebased. Nothing is written.
 */
export async function prepareIncidentRebase(
  trace: Trace,
  agent: ConfiguredAgent,
  { rebasedAt, ...options }: RebaseOptions = {},
): Promise<Rebase> {
  const { run, verdict } = await judgeGolden(trace, agent, options)
  const taken = run.incident === undefined ? [] : takenOver(run.incident)
  if (taken.length === 0) return { status: 'refused', reason: nothingToTake }
  const rebased = await rebaseInputs(trace, run, taken, { ...options, ...(rebasedAt !== undefined && { rebasedAt }) })
  const again = await judgeGolden(rebased.trace, agent, options)
  const word = statusOf(again.verdict)
  if (!isTold(again.verdict) || word !== statusOf(verdict)) {
    return {
      status: 'refused',
      reason: `it is ${statusOf(verdict)} as it is, and would be ${word} with the changed inputs before its trigger`,
    }
  }
  return { status: 'rebased', text: rebased.text, changes: changesOf(taken), run: again.run }
}

/** Returns the differences before the trigger, except those in writes. */
function takenOver({ incident: { calls, trigger }, drift }: IncidentRun): Divergence[] {
  if (trigger === 'input') return []
  const writes = new Set(calls.steps.filter((step) => calls.isWrite(step)).map(({ step }) => step))
  return drift.filter(({ step, position }) => position === 'at' && step < trigger.step && !writes.has(step))
}

function isTold(verdict: Verdict): boolean {
  return verdict.holds || verdict.why === 'repeated'
}
