import os from 'node:os'
import path from 'node:path'
import { replayOptionsOf } from '../config/agent-reference.ts'
import { quoteForShell } from '../divergence/report/next-commands.ts'
import { createReport } from '../divergence/create-report.ts'
import { tellChangedFiles } from '../divergence/report/notes.ts'
import { evidenceOf } from '../divergence/report/incident-report.ts'
import { removeRedPages } from '../goldens/pages/pages-folder.ts'
import { type RedPageOptions, writeRedPage } from '../goldens/pages/write-page.ts'
import { testCommand } from '../goldens/test-command.ts'
import type { FreshRequest } from '../goldens/fresh/fresh-request.ts'
import { tellShared } from '../goldens/fresh/tell-shared.ts'
import { replayFresh } from '../goldens/fresh/replay-fresh.ts'
import { withFreshLines } from '../goldens/fresh/with-fresh-lines.ts'
import { debugArguments } from '../goldens/debug-command.ts'
import { type GoldenCommands, withNextCommands } from '../goldens/with-next-commands.ts'
import { statusOf, type Verdict } from '../matchers/holds.ts'
import { judgeGolden, type JudgedGolden } from '../matchers/judge-golden.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import type { ModelDrift, ReplayOptions } from '../replay/contract/replay-options.ts'
import { displayPath } from '../node/display-path.ts'
import { canReplayAgain, identityOf } from '../replay/result/agent-lines.ts'
import { withAsyncStacks } from '../run/async-stacks.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { EarlierRunError } from '../replay/earlier-run-error.ts'
import { inParallel } from '../fleet/in-parallel.ts'
import { goldensBeside, keepFile } from '../replay/traces/golden-files.ts'
import { readStoredTrace } from '../replay/traces/read-trace.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Trace } from '../trace/trace.ts'
import { lookForProject } from './init/project.ts'
import type { ReplayJournal } from './replay-journal.ts'
import { type AgentOf, type EachTraceOptions, forEachTrace } from './remember-agents.ts'
import type { SelectedTrace } from './select-traces.ts'
import type { TraceResult } from './trace-result.ts'
import { untilUncaught } from './until-uncaught.ts'

/** The options of replaying traces. */
export interface ReplayTracesOptions extends EachTraceOptions {
  /** Default: as the config says. */
  readonly onDivergence?: 'stop' | 'continue'
  /** In addition to the drift that the config allows. */
  readonly allowModelDrift: readonly ModelDrift[]
  /** The earlier runs of the conversation, in order. Default: the goldens that each trace follows. */
  readonly after?: readonly Trace[]
  /** The folder for a page of each trace that does not hold. Default: no pages. */
  readonly html?: string | undefined
  /** For a process that replays one trace for another process: it finds the agent's lines itself, which makes the replay slower. */
  readonly isFresh?: boolean
  /** Where it is kept how far the process is, for one that goes on if this one ends. Default: nowhere. */
  readonly journal?: ReplayJournal | undefined
  /** Whether telemetry is told of the runs. Default: true. */
  readonly tells?: boolean
}

/** Replays traces with the agents of their configs. */
export async function replayTraces(selected: readonly SelectedTrace[], options: ReplayTracesOptions): Promise<TraceResult[]> {
  const held: HeldGoldens = new Map()
  let isShared = false
  const replayed = await forEachTrace(selected, options, async (each, agentOf) => {
    const index = selected.indexOf(each)
    const known = options.journal?.resultOf(index)
    if (known !== undefined) return known
    const before = { held, isShared }
    isShared = true
    options.journal?.begin(index, each.name)
    const result = await replayTrace(each, agentOf, before, options)
    if (typeof result !== 'function') options.journal?.keep(index, result)
    options.journal?.end()
    return result
  })
  return await inParallel(replayed, os.availableParallelism(), async (result) => (typeof result === 'function' ? await result() : result))
}

/** What this process has replayed before a trace. */
interface Before {
  readonly held: HeldGoldens
  /** Whether it has replayed any other trace, so that the agents' modules may have kept something. */
  readonly isShared: boolean
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

/** Replays a trace in this process. Returns its result, or what gets it by replays in other processes. */
async function replayTrace(
  { name, locate, origin }: SelectedTrace,
  agentOf: AgentOf,
  { held, isShared }: Before,
  options: ReplayTracesOptions,
): Promise<TraceResult | (() => Promise<TraceResult>)> {
  let about: Pick<TraceResult, 'name' | 'file'> = { name }
  const work = async (): Promise<TraceResult | (() => Promise<TraceResult>)> => {
    const { text, ...stored } = await locate()
    const { trace, file } = await readStoredTrace({ text, ...stored })
    const { header } = trace
    const place = origin ?? path.resolve(file)
    if (header.golden !== undefined) keepFile(trace, place)
    about = { name: header.golden?.name ?? header.id, file }
    const { agent, loaded } = await agentOf(trace, file)
    const fresh = async (): Promise<ReplayOptions> => withOptions(await replayOptionsOf(loaded.config, header.agent), options)
    const given = goOn(trace, held) ?? (await fresh())
    const judged = (): Promise<JudgedGolden> => judgeGolden(trace, agent, given)
    const { run, verdict } = await (options.isFresh === true ? withAsyncStacks(judged) : judged())
    if (verdict.holds) {
      if (options.html !== undefined) removeRedPages(about.name, options.html)
      held.set(place, given)
      const { standIns, drawn, credentials } = run
      // Nothing else of such a run was judged.
      const note = trace.steps.length === 0 && run.changedFiles.length > 0 ? { note: tellChangedFiles(run.changedFiles) } : {}
      const evidence = verdict.incident?.word === 'held' ? { evidence: evidenceOf(run, verdict.incident) } : {}
      const notProven = {
        ...(standIns.length > 0 && { standIns }),
        ...(drawn.length > 0 && { drawn }),
        ...(credentials.length > 0 && { credentials }),
      }
      return { ...about, status: 'held', ...evidence, ...note, ...notProven }
    }
    const { onDivergence, allowModelDrift, html, configDirectoryOf = (each) => path.dirname(path.resolve(each)) } = options
    const request = {
      trace: { ...about, file, text, origin: place, directory: configDirectoryOf(file) },
      allowModelDrift,
      ...(onDivergence !== undefined && { onDivergence }),
    } satisfies Omit<FreshRequest, 'purpose'>
    const debug = await debugArguments(header, file, loaded.config)
    const commands = { ...commandsFor(trace, file), debug, optionsIn: 'config' } as const
    const judgedHere = async (lined: ReplayedRun): Promise<TraceResult> => {
      const told = await withNextCommands(lined, commands)
      const incident = 'incident' in verdict && verdict.incident !== undefined ? { incident: verdict.incident } : {}
      const report = createReport(told, incident.incident)
      const page = html === undefined ? {} : writtenPage(told, verdict, { folder: html, prices: loaded.config.prices })
      return { ...about, status: statusOf(verdict), report, identity: identityOf(run), ...incident, ...page }
    }
    if (options.isFresh === true) return await judgedHere(run)
    const judgedElsewhere = async (): Promise<TraceResult> => {
      const anew = isShared && canReplayAgain(given) ? await replayFresh({ ...request, html, purpose: 'verdict' }) : undefined
      if (anew !== undefined) return { ...about, ...tellShared(anew, run) }
      return await judgedHere(await withFreshLines(run, given, request))
    }
    return async () => await judgedElsewhere().catch((error: unknown) => failed(about, error))
  }
  try {
    return await untilUncaught(work)
  } catch (error) {
    return failed(about, error)
  }
}

function failed(about: Pick<TraceResult, 'name' | 'file'>, error: unknown): TraceResult {
  if (!GoldenrunError.isInstance(error)) throw error
  return { ...about, status: EarlierRunError.isInstance(error) ? 'not held' : 'could not run', message: error.message }
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

function withOptions({ telemetry, ...options }: ReplayOptions, given: ReplayTracesOptions): ReplayOptions {
  const { onDivergence, allowModelDrift, after, tells = true } = given
  return {
    ...options,
    ...omitUndefined({ onDivergence, after, telemetry: tells ? telemetry : undefined }),
    allowModelDrift: [...(options.allowModelDrift ?? []), ...allowModelDrift],
  }
}
