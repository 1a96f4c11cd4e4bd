import path from 'node:path'
import { replayOptionsOf } from '../config/agent-reference.ts'
import { withConfiguredLines } from '../config/configured-lines.ts'
import type { DrawnValue } from '../divergence/drawn-value.ts'
import type { TrustedStandIn } from '../divergence/stand-in-places.ts'
import { quoteForShell } from '../divergence/report/next-commands.ts'
import { createReport } from '../divergence/create-report.ts'
import type { Report } from '../divergence/report/report.ts'
import { evidenceOf } from '../divergence/report/incident-report.ts'
import { removeRedPages } from '../goldens/pages/pages-folder.ts'
import { type RedPageOptions, writeRedPage } from '../goldens/pages/write-page.ts'
import { testCommand } from '../goldens/test-command.ts'
import { debugArguments } from '../goldens/debug-command.ts'
import { type GoldenCommands, withNextCommands } from '../goldens/with-next-commands.ts'
import { type HoldStatus, statusOf, type Verdict } from '../matchers/holds.ts'
import { judgeGolden } from '../matchers/judge-golden.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ModelDrift, ReplayOptions } from '../replay/contract/replay-options.ts'
import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { EarlierRunError } from '../replay/earlier-run-error.ts'
import { goldensBeside, keepFile } from '../replay/traces/golden-files.ts'
import { readStoredTrace } from '../replay/traces/read-trace.ts'
import type { Trace } from '../trace/trace.ts'
import { lookForProject } from './init/project.ts'
import { type AgentOf, type EachTraceOptions, forEachTrace } from './remember-agents.ts'
import type { SelectedTrace } from './select-traces.ts'

/** The result of replaying a trace. */
export interface TraceResult {
  /** A golden's name, or a recording's id. */
  readonly name: string
  /** The file's name in messages; absent if the trace was not found. */
  readonly file?: string
  /** `could not run`: it could not be replayed. */
  readonly status: HoldStatus | 'could not run'
  /** For an incident golden that held: the evidence. */
  readonly evidence?: string
  /** For a trace that held: values that were compared only as stand-ins, if any. */
  readonly standIns?: readonly TrustedStandIn[]
  /** For a trace that held: values that were matched only by the order of their reads from the clock and random sources. */
  readonly drawn?: readonly DrawnValue[]
  /** Why the trace does not hold. */
  readonly report?: Report
  /** Why the trace could not run, or was not judged because an earlier run of its conversation does not hold. */
  readonly message?: string
  /** The name, in messages, of the file that shows the recorded run and the replay side by side. */
  readonly page?: string
}

/** The options of replaying traces. */
export interface ReplayTracesOptions extends EachTraceOptions {
  readonly onDivergence: 'stop' | 'continue'
  /** In addition to the drift that the config allows. */
  readonly allowModelDrift: readonly ModelDrift[]
  /** The folder for a page of each trace that does not hold. Default: no pages. */
  readonly html?: string | undefined
}

/** Replays traces with the agents of their configs. */
export async function replayTraces(selected: readonly SelectedTrace[], options: ReplayTracesOptions): Promise<TraceResult[]> {
  const held: HeldGoldens = new Map()
  return await forEachTrace(selected, options, async (each, agentOf) => await replayTrace(each, agentOf, held, options))
}

/** The goldens that the process has replayed, by file, with the options of their replays. */
type HeldGoldens = Map<string, ReplayOptions>

/**
 * Returns the options with which the process continues from the previous golden, if it has just replayed it: a store in memory may not accept the
 * same run twice. Undefined if the earlier runs have to be replayed first.
 */
function goOn(trace: Trace, held: HeldGoldens): ReplayOptions | undefined {
  const { follows } = trace.header.golden ?? {}
  if (follows === undefined) return undefined
  const before = goldensBeside(trace).fileOf(follows)
  const options = held.get(before)
  // Another golden that follows the same one needs the state before this one.
  held.delete(before)
  return options && { ...options, after: [] }
}

async function replayTrace(
  { name, locate, origin }: SelectedTrace,
  agentOf: AgentOf,
  held: HeldGoldens,
  options: ReplayTracesOptions,
): Promise<TraceResult> {
  let about: Pick<TraceResult, 'name' | 'file'> = { name }
  try {
    const { trace, file } = await readStoredTrace(await locate())
    const { header } = trace
    const place = origin ?? path.resolve(file)
    if (header.golden !== undefined) keepFile(trace, place)
    about = { name: header.golden?.name ?? header.id, file }
    const { agent, loaded } = await agentOf(trace, file)
    const fresh = async (): Promise<ReplayOptions> => withOptions(await replayOptionsOf(loaded.config, header.agent), options)
    const given = goOn(trace, held) ?? (await fresh())
    const { run, verdict } = await judgeGolden(trace, agent, given)
    if (verdict.holds) {
      if (options.html !== undefined) removeRedPages(about.name, options.html)
      held.set(place, given)
      const { standIns, drawn } = run
      const evidence = verdict.incident?.word === 'held' ? { evidence: evidenceOf(run, verdict.incident) } : {}
      return { ...about, status: 'held', ...evidence, ...(standIns.length > 0 && { standIns }), ...(drawn.length > 0 && { drawn }) }
    }
    const debug = await debugArguments(header, file, loaded.config)
    const commands = { ...commandsFor(trace, file), debug, optionsIn: 'config' } as const
    const lined = await withNextCommands(await withConfiguredLines(run, agent, given, fresh), commands)
    const report = createReport(lined, 'incident' in verdict ? verdict.incident : undefined)
    return {
      ...about,
      status: statusOf(verdict),
      report,
      ...(options.html !== undefined && writtenPage(lined, verdict, { folder: options.html, prices: loaded.config.prices })),
    }
  } catch (error) {
    if (!GoldenrunError.isInstance(error)) throw error
    if (EarlierRunError.isInstance(error)) return { ...about, status: 'not held', message: error.message }
    return { ...about, status: 'could not run', message: error.message }
  }
}

/** @throws GoldenrunError `GOLDENRUN_VIEWER` if the page cannot be written, because the user asked for it. */
function writtenPage(run: ReplayedRun, verdict: Exclude<Verdict, { holds: true }>, options: RedPageOptions): Pick<TraceResult, 'page'> {
  const { page, pageProblem } = writeRedPage(run, verdict, options)
  if (page === undefined) throw new GoldenrunError('GOLDENRUN_VIEWER', pageProblem ?? '')
  return { page }
}

/** With the Vitest plugin, goldens are test files. It is not known which Jest test names a golden. */
function commandsFor({ header }: Trace, file: string): GoldenCommands {
  if (header.golden === undefined || lookForProject(path.dirname(path.resolve(file)))?.runners.includes('vitest') !== true) return {}
  const shown = quoteForShell(displayPath(file))
  return { rebase: testCommand('vitest run', `${shown} -u`), record: testCommand('vitest run', shown) }
}

function withOptions(options: ReplayOptions, { onDivergence, allowModelDrift }: ReplayTracesOptions): ReplayOptions {
  return { ...options, onDivergence, allowModelDrift: [...(options.allowModelDrift ?? []), ...allowModelDrift] }
}
