import { suspects } from '../boundaries/native/addons.ts'
import { makeContext, replayOptionsOf } from '../config/agent-reference.ts'
import { isCI } from './golden-mode.ts'
import { EarlierRunError } from '../replay/earlier-run-error.ts'
import type { Report } from '../divergence/report/report.ts'
import type { Trace } from '../trace/trace.ts'
import type { Verdict } from '../matchers/holds.ts'
import { isSameRun } from '../matchers/same-run.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import { hasReplayed } from '../replay/replay-count.ts'
import { replay } from '../replay/replay.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { ReadyAgent } from './golden-agent.ts'
import type { GoldenResult } from './results/golden-result.ts'
import type { TestRunner } from './test-runner.ts'

/** Runs the agent live and replaces the golden with the new run. */
export async function recordGolden(file: string, { agent, config }: ReadyAgent): Promise<void> {
  const trace = await readTrace(file)
  const { recordInPlace } = await import('./record-in-place.ts')
  await recordInPlace(file, trace, agent, config, await makeContext(config, trace.header.agent))
}

/** Replays a golden that is a test file. */
export async function holdGolden(file: string, { agent, config }: ReadyAgent, runner: TestRunner): Promise<HeldGolden> {
  const trace = await readTrace(file)
  const usual = (): Promise<ReplayOptions> => replayOptionsOf(config, trace.header.agent)
  const isShared = hasReplayed()
  const { given, replayed, after } = await replayWithEarlier(trace, agent, usual, runner)
  const options = async (): Promise<ReplayOptions> => ({ ...(await usual()), ...after })
  const native = suspects().map(({ name }) => name)
  const about = {
    ...(config.replay !== undefined && Object.keys(config.replay).length > 0 && { hasOptions: true }),
    ...(native.length > 0 && { native }),
  }
  if (isSameRun(replayed)) return { run: replayed, result: { ...about, status: 'held' } }
  // Most goldens hold unchanged, so the code that judges and reports the others is loaded only when needed.
  const { judgeChanged } = await import('./judge-changed.ts')
  return await judgeChanged({ file, trace, agent, config, given, options, about, isShared }, replayed, runner)
}

/** The result of replaying a golden. */
export interface HeldGolden {
  readonly run: ReplayedRun
  readonly result: Omit<GoldenResult, 'name' | 'file'>
  /** Set for a golden that does not hold and is not rebased. */
  readonly verdict?: Exclude<Verdict, { holds: true }>
  /** Set if a fresh process judged it, and it does not hold there. */
  readonly report?: Report
}

interface ReplayedWithEarlier {
  readonly given: ReplayOptions
  readonly replayed: ReplayedRun
  /** The earlier runs of the conversation, if they differ from their goldens. */
  readonly after: Pick<ReplayOptions, 'after'>
}

/** Replays a golden. With `-u`, earlier runs of its conversation that no longer hold are replayed in their rebased form. */
async function replayWithEarlier(
  trace: Trace,
  agent: ReadyAgent['agent'],
  options: () => Promise<ReplayOptions>,
  runner: TestRunner,
): Promise<ReplayedWithEarlier> {
  const given = await options()
  try {
    return { given, replayed: await replay(trace, agent, given), after: {} }
  } catch (error) {
    if (!EarlierRunError.isInstance(error) || !runner.hasReporter() || !runner.isUpdate() || isCI()) throw error
    const { rebaseEarlier } = await import('./try-rebase.ts')
    const after = await rebaseEarlier(trace, agent, options)
    if (after === undefined) throw error
    const again = { ...(await options()), after }
    return { given: again, replayed: await replay(trace, agent, again), after: { after } }
  }
}
