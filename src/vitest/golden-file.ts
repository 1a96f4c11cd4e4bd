import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, type TestContext } from 'vitest'
import { guardProcess } from '../boundaries/contact/guard.ts'
import type { ContactRefusedError } from '../boundaries/contact/contact-refused-error.ts'
import { installDoors } from '../boundaries/doors.ts'
import { combine, type Restore } from '../boundaries/patches.ts'
import { makeContext } from '../config/agent-reference.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { judge } from '../matchers/holds.ts'
import { createReport } from '../divergence/report.ts'
import { changeKey } from '../divergence/report/group-reports.ts'
import { toJsonReport } from '../divergence/report/json-report.ts'
import { toMarkdown } from '../divergence/report/markdown.ts'
import type { Report } from '../divergence/report/report.ts'
import { digest } from '../replay/digest.ts'
import { prepareRebase, type Rebase } from '../replay/rebase.ts'
import { recordAgain } from '../replay/record-again.ts'
import { writeFileAtomically } from '../stores/write-file-atomically.ts'
import { omitUndefined } from '../trace/json.ts'
import { displayPath } from '../stores/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { readTrace } from '../replay/read-trace.ts'
import { replay } from '../replay/replay.ts'
import type { ReplayedRun } from '../replay/replayed-run.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import { isCI, readGoldenMode } from './golden-mode.ts'
import type { GoldenReport, GoldenResult, PendingRebase } from './golden-result.ts'
// oxlint-disable-next-line import/no-unassigned-import -- importing it registers the matchers
import './register-matchers.ts'
import { setStandInKeys } from './stand-in-keys.ts'

/** A golden trace that is a test file. */
export interface GoldenFile {
  readonly file: string
  readonly name: string
  /** Hosts that may be reached outside of the run. */
  readonly live: readonly string[]
  readonly loadConfig?: () => Promise<{ readonly default: GoldenrunConfig }>
  readonly loadAgent?: () => Promise<Readonly<Record<string, unknown>>>
  /** What the agent's module exports it as. */
  readonly exported?: string
  /** Why the golden cannot be replayed. */
  readonly failure?: string
}

/** An agent, with what its project's config says of it. */
interface ReadyAgent {
  readonly agent: (input: never, context: unknown) => unknown
  readonly config: GoldenrunConfig
}

/**
 * Gets a golden's file ready and gives the body of its test. From before the agent's modules are loaded until the file is through, nothing
 * that the process does reaches the world, whether a run does it or not.
 */
export async function openGolden(golden: GoldenFile): Promise<(context: TestContext) => Promise<void>> {
  const { file, name, live } = golden
  const mode = readGoldenMode()
  const refused: ContactRefusedError[] = []
  afterAll(openUp(mode === 'record', live, refused))
  const ready = loadAgent(golden)
  // Loaded before the test, so that its time is that of the replay; what fails is the test's to tell.
  await ready.catch(() => undefined)
  return async ({ task }) => {
    const tell = (result: Omit<GoldenResult, 'name' | 'file'>): void => {
      task.meta.goldenrun = { name, file: displayPath(file), ...result }
    }
    tell({ status: 'failed' })
    const readied = await ready
    if (mode === 'record') await record(file, readied)
    const { run, result } = await replayGolden(file, readied, isUpdating())
    tell(mode === 'record' && result.status === 'held' ? { status: 'recorded' } : result)
    if (result.status === 'not held') expectToHold(run)
    const [first] = refused
    if (first === undefined) return
    tell({ status: 'failed' })
    throw first
  }
}

/** Runs the agent live, and puts that run in the golden's place. */
async function record(file: string, { agent, config }: ReadyAgent): Promise<void> {
  const trace = await readTrace(file)
  const { env, compareHeaders, ambient, mute } = config
  const context = await makeContext(config, trace.header.agent)
  const text = await recordAgain(trace, agent, { context, ...omitUndefined({ env, compareHeaders, ambient, mute }) })
  await writeFileAtomically(file, text, { force: true })
}

/** Replays a golden; where it does not hold and is to be updated, finds out what it would be rebased to. */
async function replayGolden(file: string, { agent, config }: ReadyAgent, isUpdating: boolean): Promise<GoldenReplay> {
  const trace = await readTrace(file)
  const options = (): Promise<ReplayOptions> => replayOptions(config, trace.header.agent)
  const run = withRebaseCommand(await replay(trace, agent, await options()), file)
  const verdict = judge(run)
  if (verdict.holds) return { run, result: { status: 'held' } }
  const report = toGoldenReport(createReport(run, verdict.why === 'check-failed' ? verdict.check : undefined))
  if (!isUpdating) return { run, result: { status: 'not held', report } }
  const rebase = await prepareRebase(trace, agent, await options())
  if (rebase.status === 'rebased') return { run, result: { status: 'rebased', rebase: await keepRebase(file, rebase) } }
  const reason = rebase.status === 'held' ? 'the second time it held' : rebase.reason
  const isIncident = trace.header.golden?.expect.replay === 'departs'
  const refusal = { reason, ...(isIncident ? {} : { command: `GOLDENRUN=record npx vitest run ${displayPath(file)}` }) }
  return { run, result: { status: 'not held', report, refusal } }
}

/** What a replay of a golden came to. */
interface GoldenReplay {
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

/** Whether goldens are to be rebased: with `-u`, as snapshots are, and never in CI. */
function isUpdating(): boolean {
  const { snapshotState } = expect.getState()
  return snapshotState.snapshotUpdateState === 'all' && !isCI()
}

/** @note A stack that leads to the line of the agent has a runner show that, and annotate it, and not a line of goldenrun's. */
function expectToHold(run: ReplayedRun): void {
  try {
    expect(run).toReplayWithoutDivergence()
  } catch (error) {
    if (error instanceof Error) {
      const site = run.divergences[0]?.site
      const frame = site === undefined ? '' : `\n    at ${path.resolve(site.file)}:${site.line}:${site.column}`
      error.stack = `${error.name}: ${error.message}${frame}`
    }
    throw error
  }
}

function openUp(isLive: boolean, live: readonly string[], refused: ContactRefusedError[]): Restore {
  if (isLive) return installDoors()
  setStandInKeys()
  return combine(installDoors(), guardProcess({ live, onRefused: (error) => refused.push(error) }))
}

async function loadAgent({ file, loadConfig, loadAgent: load, exported = 'default', failure }: GoldenFile): Promise<ReadyAgent> {
  if (failure !== undefined || load === undefined)
    throw new GoldenrunError('GOLDENRUN_GOLDEN_FILE', failure ?? `${displayPath(file)} has no agent.`)
  const config = (await loadConfig?.())?.default ?? {}
  const module = await load()
  const agent = module[exported]
  if (typeof agent === 'function') return { agent: agent as ReadyAgent['agent'], config }
  const names = Object.keys(module)
  const found = names.length === 0 ? 'exports nothing' : `exports ${names.join(', ')}`
  throw new GoldenrunError(
    'GOLDENRUN_NO_AGENT',
    `The module of the agent has no function "${exported}": it ${found}. Correct it in goldenrun.config.ts.`,
  )
}

async function replayOptions(config: GoldenrunConfig, agent: string): Promise<ReplayOptions> {
  const { ambient, mute } = config
  const context = await makeContext(config, agent)
  return { ...config.replay, ...(ambient && { ambient }), ...(mute && { mute }), ...(context === undefined ? {} : { context }) }
}
