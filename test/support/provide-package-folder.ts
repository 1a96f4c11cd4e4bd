import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Names an empty folder in the environment of all workers, in which the first test that needs the built package builds it. Processes that tests
 * start keep there what Node compiled, so that the next one loads the same code in half the time.
 */
export default async function providePackageFolder(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['TEST_PACKAGE_FOLDER'] !== undefined) return undefined
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-built-')))
  process.env['TEST_PACKAGE_FOLDER'] = folder
  process.env['NODE_COMPILE_CACHE'] ??= path.join(folder, 'compiled')
  return () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
