import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeContext } from '../config/agent-reference.ts'
import { createReport } from '../divergence/report.ts'
import { changeKey } from '../divergence/report/group-reports.ts'
import { toJsonReport } from '../divergence/report/json-report.ts'
import { toMarkdown } from '../divergence/report/markdown.ts'
import type { Report } from '../divergence/report/report.ts'
import { judge } from '../matchers/holds.ts'
import { digest } from '../replay/digest.ts'
import { readTrace } from '../replay/read-trace.ts'
import { prepareRebase, type Rebase } from '../replay/rebase.ts'
import { replay } from '../replay/replay.ts'
import type { ReplayedRun } from '../replay/replayed-run.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import { displayPath } from '../stores/display-path.ts'
import { type ReadyAgent, replayOptions } from './golden-agent.ts'
import { recordInPlace } from './record-in-place.ts'
import type { GoldenReport, GoldenResult, PendingRebase } from './golden-result.ts'

/** Runs the agent live, and puts that run in the golden's place. */
export async function recordGolden(file: string, { agent, config }: ReadyAgent): Promise<void> {
  const trace = await readTrace(file)
  await recordInPlace(file, trace, agent, config, await makeContext(config, trace.header.agent))
}

/** Replays a golden; where it does not hold and is to be updated, finds out what it would be rebased to. */
export async function replayGolden(file: string, { agent, config }: ReadyAgent, isUpdate: boolean): Promise<GoldenReplay> {
  const trace = await readTrace(file)
  const options = (): Promise<ReplayOptions> => replayOptions(config, trace.header.agent)
  const run = withRebaseCommand(await replay(trace, agent, await options()), file)
  const verdict = judge(run)
  if (verdict.holds) return { run, result: { status: 'held' } }
  const report = toGoldenReport(createReport(run, verdict.why === 'check-failed' ? verdict.check : undefined))
  if (!isUpdate) return { run, result: { status: 'not held', report } }
  const rebase = await prepareRebase(trace, agent, await options())
  if (rebase.status === 'rebased') return { run, result: { status: 'rebased', rebase: await keepRebase(file, rebase) } }
  const reason = rebase.status === 'held' ? 'the second time it held' : rebase.reason
  const isIncident = trace.header.golden?.expect.replay === 'departs'
  const refusal = { reason, ...(isIncident ? {} : { command: `GOLDENRUN=record npx vitest run ${displayPath(file)}` }) }
  return { run, result: { status: 'not held', report, refusal } }
}

/** What a replay of a golden came to. */
export interface GoldenReplay {
  readonly run: ReplayedRun
  readonly result: Omit<GoldenResult, 'name' | 'file'>
}

/** @note The run's properties are worked out when they are first asked for, so that they must not be read here. */
function withRebaseCommand(run: ReplayedRun, file: string): ReplayedRun {
  const rebaseCommand = { value: `npx vitest run ${displayPath(file)} -u` }
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(run), rebaseCommand }) as ReplayedRun
}

/** Nothing is written into goldens before it is known what is: until then the new text lies elsewhere. */
async function keepRebase(file: string, { text, changes }: Extract<Rebase, { status: 'rebased' }>): Promise<PendingRebase> {
  const rebased = path.join(await mkdtemp(path.join(tmpdir(), 'goldenrun-rebase-')), path.basename(file))
  await writeFile(rebased, text)
  return { file, rebased, changes }
}

function toGoldenReport(report: Report): GoldenReport {
  return { json: toJsonReport(report), markdown: toMarkdown(report), key: digest(changeKey(report)) }
}
