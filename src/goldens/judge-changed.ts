import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { quoteForShell } from '../divergence/report/next-commands.ts'
import { statusOf } from '../matchers/holds.ts'
import { judgeWithChance } from '../matchers/judge-golden.ts'
import { displayPath } from '../node/display-path.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { TraceAndFile } from '../replay/traces/read-trace.ts'
import { canReplayAgain } from '../replay/result/agent-lines.ts'
import { warn } from '../run/tell.ts'
import type { Trace } from '../trace/trace.ts'
import { omitUndefined } from '../trace/json.ts'
import type { FreshTrace } from './fresh/fresh-request.ts'
import type { JudgedTrace } from './fresh/judged-trace.ts'
import { replayFresh } from './fresh/replay-fresh.ts'
import { tellShared } from './fresh/tell-shared.ts'
import { withFreshLines } from './fresh/with-fresh-lines.ts'
import { debugArguments } from './debug-command.ts'
import type { ReadyAgent } from './golden-agent.ts'
import { isCI } from './golden-mode.ts'
import { inAllForms, reportOn } from './golden-report.ts'
import type { HeldGolden } from './hold-golden.ts'
import { keepRebase } from './keep-rebase.ts'
import { redPagesFolder } from './pages/pages-folder.ts'
import { writeRedPage } from './pages/write-page.ts'
import type { GoldenResult } from './results/golden-result.ts'
import { testCommand } from './test-command.ts'
import type { TestRunner } from './test-runner.ts'
import type { RebaseTried } from './try-rebase.ts'
import { withNextCommands } from './with-next-commands.ts'

/** A golden whose replay differs from the recorded run. */
export interface ChangedGolden extends ReadyAgent, Pick<TraceAndFile, 'file' | 'trace'> {
  /** The options that it was replayed with. */
  readonly given: ReplayOptions
  /** Creates the same options again, with a fresh context. */
  readonly options: () => Promise<ReplayOptions>
  /** Fields that its result always has. */
  readonly about: Pick<GoldenResult, 'hasOptions'>
  /** Whether the process had replayed other runs before. */
  readonly isShared: boolean
}

/** Judges and reports a golden whose replay differs from the recorded run. With `-u`, prepares its rebase. */
export async function judgeChanged(golden: ChangedGolden, replayed: ReplayedRun, runner: TestRunner): Promise<HeldGolden> {
  const { file, trace, given, about, config, isShared } = golden
  const isUpdate = runner.hasReporter() && runner.isUpdate() && !isCI()
  const request = { trace: await freshTraceOf(file, trace) }
  const anew =
    isShared && !isUpdate && canReplayAgain(given)
      ? await replayFresh({ ...request, purpose: 'verdict', html: redPagesFolder() })
      : undefined
  const elsewhere = anew && judgedElsewhere(request.trace.file, tellShared(anew, replayed), about)
  if (elsewhere !== undefined) return { run: replayed, ...elsewhere }
  const shown = quoteForShell(displayPath(file))
  const record = testCommand(runner.command, shown)
  const debug = await debugArguments(trace.header, file, config)
  const canRebase = runner.hasReporter()
  const commands = { record, debug, optionsIn: 'config' } as const
  const run = await withNextCommands(replayed, { ...commands, ...(canRebase && { rebase: testCommand(runner.command, `${shown} -u`) }) })
  const verdict = await judgeWithChance(run)
  const isDrifted = isUpdate && (run.incident?.drift.length ?? 0) > 0
  if (verdict.holds && !isDrifted) return { run, result: { ...about, status: 'held' } }
  const { rebase: prepared, refusal } = isUpdate ? await tryRebase(golden, run.commands?.record) : {}
  const rebase = prepared && keepRebase(prepared)
  if (verdict.holds) return { run, result: rebase === undefined ? { ...about, status: 'held' } : { status: 'rebased', rebase } }
  // A golden whose incident is still repeated fails with its new inputs as well.
  if (rebase !== undefined && run.incident === undefined) return { run, result: { status: 'rebased', rebase } }
  // The report does not suggest `-u` if that was just refused.
  const advised = refusal === undefined ? run : await withNextCommands(run, commands)
  const lined = await withFreshLines(advised, given, request)
  return {
    run: lined,
    verdict,
    result: {
      ...about,
      status: statusOf(verdict),
      report: reportOn(lined, verdict),
      ...writeRedPage(lined, verdict, { prices: config.prices }),
      ...omitUndefined({ refusal, rebase }),
    },
  }
}

/** The result of a golden that a fresh process judged; undefined if that gave no report. */
function judgedElsewhere(
  shown: string,
  { status, report, note, page }: JudgedTrace,
  about: ChangedGolden['about'],
): Pick<HeldGolden, 'result' | 'report'> | undefined {
  if (report !== undefined) return { report, result: { ...about, status, report: inAllForms(report), ...omitUndefined({ page }) } }
  if (status !== 'held') return undefined
  if (note !== undefined) warn(`${shown} held. ${note}`)
  return { result: { ...about, status } }
}

async function freshTraceOf(file: string, { header }: Trace): Promise<FreshTrace> {
  const origin = path.resolve(file)
  const text = await readFile(origin, 'utf8')
  return { name: header.golden?.name ?? header.id, file: displayPath(origin), text, origin, directory: path.dirname(origin) }
}

/** Loads the code that rebases only for a run with `-u`. */
async function tryRebase({ file, trace, agent, options }: ChangedGolden, record: string | undefined): Promise<RebaseTried> {
  const { rebaseGolden } = await import('./try-rebase.ts')
  return await rebaseGolden(file, trace, agent, await options(), record)
}
