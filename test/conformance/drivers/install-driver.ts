import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { LocatedNode } from '../../../scripts/locate-node.ts'
import type { TriedDriver } from './versions.ts'

const run = promisify(execFile)

/**
 * Has npm install a version of a driver in a folder of the temporary directory, unless it is there already.
 *
 * @returns The folder.
 */
export async function installDriver(driver: TriedDriver, version: string, node: LocatedNode): Promise<string> {
  if (driver.package === undefined) return tmpdir()
  const name = `${driver.package.replace(/[@/]+/g, '-')}-${version}${driver.isNative === true ? `-${node.version}` : ''}`
  const folder = path.join(tmpdir(), 'goldenrun-driver-versions', name)
  const done = path.join(folder, 'installed')
  if (existsSync(done)) return folder
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{ "name": "driver", "private": true }\n')
  const packages = [`${driver.package}@${version}`, ...(driver.others ?? [])]
  const env = { ...process.env, PATH: `${path.dirname(node.path)}:${process.env['PATH'] ?? ''}` }
  await run('npm', ['install', '--no-audit', '--no-fund', '--save-exact', '--ignore-scripts', ...packages], {
    cwd: folder,
    env,
    maxBuffer: 2 ** 26,
  })
  await writeFile(done, '')
  return folder
}
