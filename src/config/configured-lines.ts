import { canReplayAgain, withAgentLines } from '../replay/result/agent-lines.ts'
import { replay } from '../replay/replay.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { ConfiguredAgent } from './agent-reference.ts'

/**
 * Finds the agent's own lines for a failed replay, if a second replay runs nothing but the agent.
 *
 * @param given The options of the first replay.
 * @param fresh Creates the same options again, with a new context.
 */
export async function withConfiguredLines(
  run: ReplayedRun,
  agent: ConfiguredAgent,
  given: ReplayOptions,
  fresh: () => Promise<ReplayOptions>,
): Promise<ReplayedRun> {
  if (!canReplayAgain(given)) return run
  return await withAgentLines(run, async () => {
    const { telemetry: _, ...untold } = await fresh()
    return await replay(run.trace, agent, untold)
  })
}
