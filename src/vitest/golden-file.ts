import { flushCompileCache } from 'node:module'
import { afterAll, expect, type TestContext } from 'vitest'
import { guardProcess } from '../boundaries/contact/guard.ts'
import type { ContactRefusedError } from '../boundaries/contact/contact-refused-error.ts'
import { installDoors } from '../boundaries/doors.ts'
import { combine, type Restore } from '../boundaries/patches.ts'
import { setStandInKeys } from '../config/stand-in-keys.ts'
import { tellOwnSurroundings } from '../replay/own-surroundings.ts'
import { displayPath } from '../stores/display-path.ts'
import { attachReport } from './attach-report.ts'
import { type GoldenFile, loadAgent } from './golden-agent.ts'
import { isCI, readGoldenMode } from '../goldens/golden-mode.ts'
import { recordGolden, replayGolden } from './golden-replay.ts'
import type { GoldenResult } from './golden-result.ts'

/**
 * Gets a golden's file ready and gives the body of its test. From before the agent's modules are loaded until the file is through, nothing
 * that the process does reaches the world, whether a run does it or not.
 */
export async function openGolden(golden: GoldenFile): Promise<(context: TestContext) => Promise<void>> {
  const { file, name, live, surroundings } = golden
  tellOwnSurroundings(surroundings)
  const mode = readGoldenMode()
  const refused: ContactRefusedError[] = []
  // Vitest 4 ends a worker before Node would keep what it has compiled (see `quick-workers.ts`).
  afterAll(() => flushCompileCache())
  afterAll(openUp(mode === 'record', live, refused))
  const ready = loadAgent(golden)
  // Loaded before the test, so that its time is that of the replay; what fails is the test's to tell.
  await ready.catch(() => undefined)
  return async ({ task }) => {
    const tell = (result: Omit<GoldenResult, 'name' | 'file'>): void => {
      task.meta.goldenrun = { name, file: displayPath(file), ...result }
    }
    tell({ status: 'could not run' })
    const readied = await ready
    if (mode === 'record') await recordGolden(file, readied)
    const { run, result, verdict } = await replayGolden(file, readied, isUpdate())
    tell(mode === 'record' && result.status === 'held' ? { status: 'recorded' } : result)
    if (result.report !== undefined) await attachReport(task, file, displayPath(file), result.report)
    if (verdict !== undefined) (await import('./expect-to-hold.ts')).expectToHold(run, verdict)
    // Of a test that asserts nothing, Vitest can be told that it fails.
    expect(result.report).toBeUndefined()
    const [first] = refused
    if (first === undefined) return
    tell({ status: 'could not run' })
    throw first
  }
}

function openUp(isLive: boolean, live: readonly string[], refused: ContactRefusedError[]): Restore {
  if (isLive) return installDoors()
  setStandInKeys()
  return combine(installDoors(), guardProcess({ live, onRefused: (error) => refused.push(error) }))
}

/** Whether goldens are to be rebased: with `-u`, as snapshots are, and never in CI. */
function isUpdate(): boolean {
  const { snapshotState } = expect.getState()
  // Vitest 4 keeps it in a field of another name.
  const update: unknown = snapshotState.snapshotUpdateState ?? Reflect.get(snapshotState, '_updateSnapshot')
  return update === 'all' && !isCI()
}
