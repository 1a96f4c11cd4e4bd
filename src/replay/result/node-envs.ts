import type { Divergence } from '../../divergence/divergence.ts'
import type { NodeEnvs } from '../../divergence/node-env.ts'
import type { Trace } from '../../trace/trace.ts'
import type { ReplayingRun } from '../replaying-run.ts'

/** `NODE_ENV` then and now, if the draws of a replay do not line up with those of its recording; undefined if they do. */
export function nodeEnvsOf({ header: { runtime } }: Trace, run: ReplayingRun, divergences: readonly Divergence[]): NodeEnvs | undefined {
  const isDrawn = run.draws.hasPaired || divergences.some(({ differences }) => differences.some(({ drawn }) => drawn === true))
  // Draws after a stop follow from the stop.
  const isOtherNumber = !run.stopped && (run.reads.extra > 0 || (run.finished && run.draws.isShort))
  if (!isDrawn && !isOtherNumber) return undefined
  const envs = toNodeEnvs(runtime)
  // If calls differ, different reads follow from that and prove nothing, unless `NODE_ENV` differs, too.
  const isOther = envs.recorded !== undefined && envs.recorded !== envs.replayed
  return isDrawn || divergences.length === 0 || isOther ? envs : undefined
}

/** If the configuration names the variable, the replay uses the recorded one, too. */
function toNodeEnvs({ env, nodeEnv }: Trace['header']['runtime']): NodeEnvs {
  const given = env['NODE_ENV']
  if (given !== undefined) return { recorded: given, replayed: given }
  return { ...(nodeEnv !== undefined && { recorded: nodeEnv }), replayed: process.env['NODE_ENV'] ?? null }
}
