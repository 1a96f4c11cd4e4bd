import { afterAll, test } from '@jest/globals'
import { findAgent, locateModule, missingAgent } from '../config/agent-reference.ts'
import { loadConfig } from '../config/load-config.ts'
import { type GoldenFile, type GoldenModule, type ReadyAgent, readyAgent } from '../goldens/golden-agent.ts'
import { guardOutside, type OutsideGuard } from '../goldens/guard-outside.ts'
import { type GoldenMode, readGoldenMode } from '../goldens/golden-mode.ts'
import { holdGolden, recordGolden } from '../goldens/hold-golden.ts'
import type { GoldenResult } from '../goldens/results/golden-result.ts'
import { LIVE_LIMIT, testTimeout, withinLimit } from '../goldens/within-limit.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import { renderReport } from '../divergence/create-report.ts'
import { toTerminal } from '../divergence/report/to-terminal.ts'
import { displayPath } from '../node/display-path.ts'
import { printableStyled } from '../trace/printable.ts'
import { withoutStackLines } from './jest-matchers.ts'
import { tellReporter } from './results-folder.ts'
import { jestRunner } from './test-runner.ts'

/** A golden trace that is a test file, as its module describes it. */
export interface JestGolden extends Pick<GoldenFile, 'file' | 'name' | 'live' | 'limit'> {
  readonly title: string
  /** Loads a module in the test file's sandbox. */
  load(module: string): Promise<GoldenModule>
}

/**
 * Describes the test of a golden's file. From before the agent's modules load until the file has finished, the process cannot contact
 * the outside world, inside or outside of a run.
 */
export function describeGoldenFile(golden: JestGolden): void {
  const { title, live, limit } = golden
  const mode = readGoldenMode()
  const outside = mode === 'replay' ? guardOutside(live) : undefined
  if (outside !== undefined) afterAll(outside.release)
  const body = async (): Promise<void> => await hold(golden, mode, outside)
  // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- it is a text, and the test fails with the report
  test(title, body, testTimeout(mode === 'record' ? LIVE_LIMIT : limit))
}

async function hold({ file, name, limit, load }: JestGolden, mode: GoldenMode, outside: OutsideGuard | undefined): Promise<void> {
  const shown = displayPath(file)
  const tell = (result: Omit<GoldenResult, 'name' | 'file'>): void => tellReporter({ name, file: shown, ...result })
  tell({ status: 'could not run' })
  const ready = await withinLimit(shown, limit, moreTime, () => loadAgent(file, load, outside))
  if (mode === 'record') await recordGolden(file, ready)
  const { run, result, verdict, report } = await withinLimit(shown, limit, moreTime, () => holdGolden(file, ready, jestRunner))
  tell(mode === 'record' && result.status === 'held' ? { status: 'recorded' } : result)
  if (report !== undefined) throw toFailure(printableStyled(toTerminal(report, { color: false, width: 100 })))
  if (verdict !== undefined) {
    const incident = 'incident' in verdict ? { incident: verdict.incident } : {}
    throw toFailure(printableStyled(renderReport(run, { color: false, width: 100, ...incident })))
  }
  outside?.tell(shown)
}

function moreTime(timeout: number): string {
  return `['goldenrun/jest/transform', { timeout: ${timeout} }] in place of 'goldenrun/jest/transform', in Jest's transform`
}

async function loadAgent(file: string, load: JestGolden['load'], outside: OutsideGuard | undefined): Promise<ReadyAgent> {
  const { header } = await readTrace(file)
  const loaded = await loadConfig(file)
  outside?.declare(loaded.config)
  const reference = findAgent(loaded.config, header.agent)
  if (loaded.file === undefined || reference === undefined) throw missingAgent(displayPath(file), header.agent, loaded)
  return readyAgent(await load(locateModule(loaded.file, reference.module)), reference.exported, loaded.config)
}

/** Converts a report to a test's failure: Jest shows the message, and goldenrun's stack lines are removed. */
function toFailure(report: string): Error {
  const error = new Error(withoutStackLines(report))
  error.stack = `${error.name}: ${error.message}`
  return error
}
