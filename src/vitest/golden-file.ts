import path from 'node:path'
import { afterAll, expect, type TestContext } from 'vitest'
import { guardProcess } from '../boundaries/contact/guard.ts'
import type { ContactRefusedError } from '../boundaries/contact/contact-refused-error.ts'
import { installDoors } from '../boundaries/doors.ts'
import { combine, type Restore } from '../boundaries/patches.ts'
import { makeContext } from '../config/agent-reference.ts'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { judge } from '../matchers/holds.ts'
import { displayPath } from '../stores/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { readTrace } from '../replay/read-trace.ts'
import { replay } from '../replay/replay.ts'
import type { ReplayedRun } from '../replay/replayed-run.ts'
import type { ReplayOptions } from '../replay/replay-options.ts'
import { readGoldenMode } from './golden-mode.ts'
import type { GoldenResult } from './golden-result.ts'
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
  const refused: ContactRefusedError[] = []
  const release = openUp(readGoldenMode() === 'record', golden.live, refused)
  afterAll(release)
  const ready = loadAgent(golden)
  // Loaded before the test, so that its time is that of the replay; what fails is the test's to tell.
  await ready.catch(() => undefined)
  return async ({ task }) => {
    const tell = (result: Pick<GoldenResult, 'status'>): void => {
      task.meta.goldenrun = { name: golden.name, file: displayPath(golden.file), ...result }
    }
    tell({ status: 'failed' })
    const { agent, config } = await ready
    const trace = await readTrace(golden.file)
    const run = await replay(trace, agent, await replayOptions(config, trace.header.agent))
    tell({ status: judge(run).holds ? 'held' : 'not held' })
    expectToHold(run)
    const [first] = refused
    if (first === undefined) return
    tell({ status: 'failed' })
    throw first
  }
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
