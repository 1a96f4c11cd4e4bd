import { tellDivergence } from '../../divergence/report/cause-words.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { identityOf, isAtOnePlace } from '../../replay/result/agent-lines.ts'
import type { JudgedTrace } from './judged-trace.ts'

/**
 * Adds a note to the verdict of a fresh process if it differs from that of a process that had replayed other runs before, which does not count.
 *
 * @param shared The replay in that process, which does not hold.
 */
export function tellShared(fresh: JudgedTrace, shared: ReplayedRun): JudgedTrace {
  const [divergence] = shared.divergences
  if (divergence === undefined || fresh.identity === identityOf(shared)) return fresh
  // What an agent sends there may come from the process itself, such as the time at which it was started.
  if (fresh.report?.divergence !== undefined && isAtOnePlace(fresh.report.divergence, divergence)) return fresh
  const note =
    `Note: in a process that had replayed other runs before, ${tellDivergence(divergence)}. That is state of the process: something that ` +
    "the agent's modules keep from one run to the next. This verdict is that of a fresh process."
  if (fresh.report === undefined) return { ...fresh, note }
  return { ...fresh, report: { ...fresh.report, notes: [...fresh.report.notes, note] } }
}
