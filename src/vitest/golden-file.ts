import { flushCompileCache } from 'node:module'
import { afterAll, expect, inject, type TestContext } from 'vitest'
import { installReplayDoors } from '../boundaries/doors.ts'
import { combine, type Restore } from '../boundaries/patches.ts'
import { variablesOfGolden } from '../config/golden-variables.ts'
import { setStandInKeys } from '../config/stand-in-keys.ts'
import { tellOwnSurroundings } from '../replay/engine/own-surroundings.ts'
import { displayPath } from '../node/display-path.ts'
import { annotatePage } from './annotate-page.ts'
import { attachReport } from './attach-report.ts'
import { beginGolden } from './begun-golden.ts'
import { type GoldenFile, loadAgent } from '../goldens/golden-agent.ts'
import { guardOutside, type OutsideGuard } from '../goldens/guard-outside.ts'
import { readGoldenMode } from '../goldens/golden-mode.ts'
import { holdGolden, recordGolden } from '../goldens/hold-golden.ts'
import type { GoldenResult } from '../goldens/results/golden-result.ts'
import { withinLimit } from '../goldens/within-limit.ts'
import { tellTask } from './tell-task.ts'
import { vitestRunner } from './test-runner.ts'

/**
 * Prepares a golden's file and returns the body of its test. From before the agent's modules load until the file has finished, the
 * process cannot contact the outside world, inside or outside of a run.
 */
export async function openGolden(golden: GoldenFile): Promise<(context: TestContext) => Promise<void>> {
  const { file, name, limit, surroundings } = golden
  tellOwnSurroundings(surroundings)
  const mode = readGoldenMode()
  // Vitest 4 ends a worker before Node would store its compiled code (see `quick-workers.ts`).
  afterAll(() => flushCompileCache())
  const shown = displayPath(file)
  const begun = inject('goldenrunBegun')
  const begin = (): Restore => (begun === undefined ? () => undefined : beginGolden(begun, { name, file: shown, limit }))
  const loaded = begin()
  const outside = openUp(mode === 'record', golden)
  afterAll(outside.release)
  const ready = withinLimit(shown, limit, moreTime, () => loadAgent(golden, outside))
  // Loaded before the test, so that the test's time is the time of the replay. The test reports a failure to load.
  await ready.catch(() => undefined)
  // The test may be left out, by its name: then it has no end.
  loaded()
  return async ({ task, onTestFinished }) => {
    onTestFinished(begin())
    const tell = (result: Omit<GoldenResult, 'name' | 'file'>): void => tellTask(task, { name, file: shown, ...result })
    tell({ status: 'could not run' })
    const readied = await ready
    if (mode === 'record') await recordGolden(file, readied)
    const { run, result, verdict, report } = await withinLimit(shown, limit, moreTime, () => holdGolden(file, readied, vitestRunner))
    task.meta.goldenrun = []
    tell(mode === 'record' && result.status === 'held' ? { status: 'recorded' } : result)
    if (result.report !== undefined) await attachReport(task, file, shown, result.report)
    await annotatePage(task, result)
    if (verdict !== undefined) (await import('./expect-to-hold.ts')).expectToHold(run, verdict)
    if (report !== undefined) (await import('./expect-to-hold.ts')).failWith(report)
    // Vitest can be configured to fail tests without assertions.
    expect(result.report).toBeUndefined()
    outside.tell(shown)
  }
}

function moreTime(timeout: number): string {
  return `goldenrun({ timeout: ${timeout} }) in vitest.config.ts`
}

function openUp(isLive: boolean, { file, live }: GoldenFile): OutsideGuard {
  const release = installReplayDoors()
  if (isLive) return { declare: () => undefined, knows: () => undefined, tell: () => undefined, release }
  setStandInKeys(variablesOfGolden(file))
  const guard = guardOutside(live)
  return { ...guard, release: combine(release, guard.release) }
}
