import { makeContext } from '../config/agent-reference.ts'
import { replayOptionsOf } from '../config/replay-options-of.ts'
import type { Verdict } from '../matchers/holds.ts'
import { isSameRun } from '../matchers/same-run.ts'
import { readTrace } from '../replay/read-trace.ts'
import { replay } from '../replay/replay.ts'
import type { ReplayedRun } from '../replay/replayed-run.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import { displayPath } from '../stores/display-path.ts'
import { omitUndefined } from '../trace/json.ts'
import type { ReadyAgent } from './golden-agent.ts'
import type { GoldenResult } from './golden-result.ts'

/** Runs the agent live, and puts that run in the golden's place. */
export async function recordGolden(file: string, { agent, config }: ReadyAgent): Promise<void> {
  const trace = await readTrace(file)
  const { recordInPlace } = await import('../goldens/record-in-place.ts')
  await recordInPlace(file, trace, agent, config, await makeContext(config, trace.header.agent))
}

/** Replays a golden; where it does not hold, or an incident's drifted, and it is to be updated, finds out what it would be rebased to. */
export async function replayGolden(file: string, { agent, config }: ReadyAgent, isUpdate: boolean): Promise<GoldenReplay> {
  const trace = await readTrace(file)
  const options = (): Promise<ReplayOptions> => replayOptionsOf(config, trace.header.agent)
  const given = await options()
  const run = withRebaseCommand(await replay(trace, agent, given), file)
  if (isSameRun(run)) return { run, result: { status: 'held' } }
  // Most goldens are of runs that are as they were: what judges others, and tells of those that do not hold, is loaded then.
  const { judgeWithChance } = await import('../matchers/judge-golden.ts')
  const { statusOf } = await import('../matchers/holds.ts')
  const verdict = await judgeWithChance(run)
  const isDrifted = isUpdate && (run.incident?.drift.length ?? 0) > 0
  if (verdict.holds && !isDrifted) return { run, result: { status: 'held' } }
  const { rebaseGolden, reportOn } = await import('./not-held.ts')
  const { rebase, refusal } = isUpdate ? await rebaseGolden(file, trace, agent, await options()) : {}
  if (verdict.holds) return { run, result: rebase === undefined ? { status: 'held' } : { status: 'rebased', rebase } }
  // A golden that says that the agent still does what went wrong is red with its new inputs, too.
  if (rebase !== undefined && run.incident === undefined) return { run, result: { status: 'rebased', rebase } }
  const { withConfiguredLines } = await import('../config/configured-lines.ts')
  const lined = await withConfiguredLines(run, agent, given, options)
  return {
    run: lined,
    verdict,
    result: { status: statusOf(verdict), report: reportOn(lined, verdict), ...omitUndefined({ refusal, rebase }) },
  }
}

/** What a replay of a golden came to. */
export interface GoldenReplay {
  readonly run: ReplayedRun
  readonly result: Omit<GoldenResult, 'name' | 'file'>
  /** Of a golden that does not hold, and is not rebased. */
  readonly verdict?: Exclude<Verdict, { holds: true }>
}

/** @note The run's properties are worked out when they are first asked for, so that they must not be read here. */
function withRebaseCommand(run: ReplayedRun, file: string): ReplayedRun {
  const rebaseCommand = { value: `npx vitest run ${displayPath(file)} -u` }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(run), rebaseCommand }) as ReplayedRun
}
