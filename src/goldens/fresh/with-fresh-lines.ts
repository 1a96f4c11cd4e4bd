import { canReplayAgain, lacksLines, withLinesOf } from '../../replay/result/agent-lines.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../../replay/contract/replay-options.ts'
import type { FreshRequest } from './fresh-request.ts'
import { replayFresh } from './replay-fresh.ts'

/**
 * Finds the agent's own lines for a failed replay, if another replay runs nothing but the agent. The other replay happens in a new process, and
 * changes nothing in the verdict.
 *
 * @param given The options of the failed replay.
 */
export async function withFreshLines(run: ReplayedRun, given: ReplayOptions, request: Omit<FreshRequest, 'purpose'>): Promise<ReplayedRun> {
  if (!lacksLines(run) || !canReplayAgain(given)) return run
  const other = await replayFresh({ ...request, purpose: 'lines' })
  if (other === undefined) return run
  const { divergence, consequences = [] } = other.report ?? {}
  return withLinesOf(run, { identity: other.identity, divergences: [...(divergence === undefined ? [] : [divergence]), ...consequences] })
}
