import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createReport } from '../divergence/report.ts'
import { changeKey } from '../divergence/report/group-reports.ts'
import { toJsonReport } from '../divergence/report/json-report.ts'
import { toMarkdown } from '../divergence/report/markdown.ts'
import { prepareIncidentRebase } from '../goldens/rebase-incident.ts'
import type { Verdict } from '../matchers/holds.ts'
import { digest } from '../replay/digest.ts'
import { prepareRebase, type Rebase } from '../replay/rebase.ts'
import type { ReplayedRun } from '../replay/replayed-run.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import { displayPath } from '../stores/display-path.ts'
import type { Trace } from '../trace/trace.ts'
import type { ReadyAgent } from './golden-agent.ts'
import type { GoldenReport, GoldenResult, PendingRebase } from './golden-result.ts'

/** Reports why a golden does not hold. */
export function reportOn(run: ReplayedRun, verdict: Exclude<Verdict, { holds: true }>): GoldenReport {
  const report = createReport(run, 'incident' in verdict ? verdict.incident : undefined)
  return { json: toJsonReport(report), markdown: toMarkdown(report), key: digest(changeKey(report)) }
}

/** Finds out what a golden that does not hold would be rebased to, or why it is not. */
export async function rebaseGolden(
  file: string,
  trace: Trace,
  agent: ReadyAgent['agent'],
  options: ReplayOptions,
): Promise<Pick<GoldenResult, 'rebase' | 'refusal'>> {
  const isIncident = trace.header.golden?.expect.replay === 'departs'
  const rebase = isIncident ? await prepareIncidentRebase(trace, agent, options) : await prepareRebase(trace, agent, options)
  if (rebase.status === 'rebased') return { rebase: await keepRebase(file, rebase) }
  const reason = rebase.status === 'held' ? 'the second time it held' : rebase.reason
  return { refusal: { reason, ...(isIncident ? {} : { command: `GOLDENRUN=record npx vitest run ${displayPath(file)}` }) } }
}

/** Nothing is written into goldens before it is known what is: until then the new text lies elsewhere. */
async function keepRebase(file: string, { text, changes }: Extract<Rebase, { status: 'rebased' }>): Promise<PendingRebase> {
  const rebased = path.join(await mkdtemp(path.join(tmpdir(), 'goldenrun-rebase-')), path.basename(file))
  await writeFile(rebased, text)
  return { file, rebased, changes }
}
