import type { ConfiguredAgent } from '../config/agent-reference.ts'
import { prepareRebase } from '../replay/goldens/rebase.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { Trace } from '../trace/trace.ts'
import type { PreparedRebase } from './keep-rebase.ts'
import { prepareIncidentRebase } from './rebase-incident.ts'
import type { RefusedRebase } from './results/golden-result.ts'

/** What a failing golden would be rebased to, with the replay that then holds; or why it is not rebased. */
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
  const reason = rebase.status === 'held' ? 'it held on the second attempt' : rebase.reason
  return { refusal: { reason, ...(isIncident || command === undefined ? {} : { command }) } }
}
