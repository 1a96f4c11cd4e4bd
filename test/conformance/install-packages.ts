import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Has npm install packages in a folder of the temporary directory, unless they are there already.
 *
 * @param name What names the folder: the packages with their versions, and what else tells two installations apart.
 * @param packages With their versions.
 * @param node The path of the Node binary that installs them.
 * @returns The folder.
 */
export async function installPackages(name: string, packages: readonly string[], node: string): Promise<string> {
  const root = path.join(tmpdir(), 'goldenrun-released-packages')
  const folder = path.join(root, name.replaceAll(/[@/]+/g, '-'))
  if (existsSync(folder)) return folder
  await mkdir(root, { recursive: true })
  // In a folder of its own until it is complete, because another process may install the same.
  const unfinished = await mkdtemp(path.join(root, 'unfinished-'))
  try {
    await writeFile(path.join(unfinished, 'package.json'), '{ "name": "released", "private": true }\n')
    const env = { ...process.env, PATH: `${path.dirname(node)}:${process.env['PATH'] ?? ''}` }
    await run('npm', ['install', '--no-audit', '--no-fund', '--save-exact', '--ignore-scripts', ...packages], {
      cwd: unfinished,
      env,
      maxBuffer: 2 ** 26,
    })
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
