import { makeContext, replayOptionsOf } from '../config/agent-reference.ts'
import { quoteForShell } from '../divergence/report/next-commands.ts'
import type { Verdict } from '../matchers/holds.ts'
import { isSameRun } from '../matchers/same-run.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import { replay } from '../replay/replay.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import { displayPath } from '../node/display-path.ts'
import { omitUndefined } from '../trace/json.ts'
import type { ReadyAgent } from './golden-agent.ts'
import { isCI } from './golden-mode.ts'
import type { GoldenResult } from './results/golden-result.ts'
import type { TestRunner } from './test-runner.ts'

/** Runs the agent live and replaces the golden with that run. */
export async function recordGolden(file: string, { agent, config }: ReadyAgent): Promise<void> {
  const trace = await readTrace(file)
  const { recordInPlace } = await import('./record-in-place.ts')
  await recordInPlace(file, trace, agent, config, await makeContext(config, trace.header.agent))
}

/** Replays a golden as a test file. With `-u`, if it does not hold or an incident golden drifted, prepares what it would be rebased to. */
export async function holdGolden(file: string, { agent, config }: ReadyAgent, runner: TestRunner): Promise<HeldGolden> {
  const trace = await readTrace(file)
  const options = (): Promise<ReplayOptions> => replayOptionsOf(config, trace.header.agent)
  const given = await options()
  const replayed = await replay(trace, agent, given)
  const about = config.replay !== undefined && Object.keys(config.replay).length > 0 ? { hasOptions: true } : {}
  if (isSameRun(replayed)) return { run: replayed, result: { ...about, status: 'held' } }
  // Most goldens hold unchanged, so the code that judges and reports other ones is loaded only when needed.
  const { judgeWithChance } = await import('../matchers/judge-golden.ts')
  const { statusOf } = await import('../matchers/holds.ts')
  const { withNextCommands } = await import('./with-next-commands.ts')
  const { testCommand } = await import('./test-command.ts')
  const shown = quoteForShell(displayPath(file))
  const record = testCommand(runner.command, shown)
  const canRebase = runner.hasReporter()
  const run = await withNextCommands(replayed, { record, ...(canRebase && { rebase: testCommand(runner.command, `${shown} -u`) }) })
  const verdict = await judgeWithChance(run)
  const isUpdate = canRebase && runner.isUpdate() && !isCI()
  const isDrifted = isUpdate && (run.incident?.drift.length ?? 0) > 0
  if (verdict.holds && !isDrifted) return { run, result: { ...about, status: 'held' } }
  const { rebaseGolden } = await import('./try-rebase.ts')
  const { rebase: prepared, refusal } = isUpdate ? await rebaseGolden(file, trace, agent, await options(), run.commands?.record) : {}
  const { keepRebase } = await import('./keep-rebase.ts')
  const rebase = prepared && keepRebase(prepared)
  if (verdict.holds) return { run, result: rebase === undefined ? { ...about, status: 'held' } : { status: 'rebased', rebase } }
  // A golden whose incident is still repeated stays red with its new inputs, too.
  if (rebase !== undefined && run.incident === undefined) return { run, result: { status: 'rebased', rebase } }
  const { withConfiguredLines } = await import('../config/configured-lines.ts')
  const { reportOn } = await import('./golden-report.ts')
  // The report does not suggest `-u` if it was just refused.
  const advised = refusal === undefined ? run : await withNextCommands(run, { record })
  const lined = await withConfiguredLines(advised, agent, given, options)
  return {
    run: lined,
    verdict,
    result: { ...about, status: statusOf(verdict), report: reportOn(lined, verdict), ...omitUndefined({ refusal, rebase }) },
  }
}

/** The result of replaying a golden. */
export interface HeldGolden {
  readonly run: ReplayedRun
  readonly result: Omit<GoldenResult, 'name' | 'file'>
  /** Set for a golden that does not hold and is not rebased. */
  readonly verdict?: Exclude<Verdict, { holds: true }>
}
