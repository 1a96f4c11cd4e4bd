import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { cp, mkdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** Longer than building takes on any machine, in milliseconds. */
const PATIENCE = 240_000

let ownFolder: string | undefined

/**
 * Builds the package's JavaScript once for all test files of a run of Vitest, in the first that asks for it, and gives the folder where it is
 * installed: `package.json` and `dist`.
 */
export async function buildPackage(): Promise<string> {
  const root = process.env['TEST_PACKAGE_FOLDER'] ?? (ownFolder ??= createOwnFolder())
  const built = path.join(root, 'node_modules/goldenrun')
  if (await isThere(built)) return built
  if (await isFirst(path.join(root, 'building'))) return await build(root, built)
  const failure = path.join(root, 'failure')
  for (const start = performance.now(); performance.now() - start < PATIENCE; await sleep(50)) {
    if (await isThere(built)) return built
    if (await isThere(failure)) throw new Error(`The package could not be built: ${await readFile(failure, 'utf8')}`)
  }
  throw new Error(`Another test file began to build the package, and did not finish within ${PATIENCE / 1000} seconds.`)
}

/** Links packages that are installed here into another `node_modules`. */
export async function linkPackages(modules: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true })
    await symlink(path.join(repository, 'node_modules', name), path.join(modules, name), 'junction')
  }
}

/** For a program that no test runner started, such as a bench. */
function createOwnFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'goldenrun-built-')))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** @note In a process of its own: it builds in the working directory, which a test may have changed. */
async function build(root: string, built: string): Promise<string> {
  const unfinished = path.join(root, 'unfinished')
  const program = "import { buildJavaScript } from './scripts/build-javascript.ts'\nawait buildJavaScript(process.argv[1])"
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, path.join(unfinished, 'dist')], {
      cwd: repository,
    })
    await cp(path.join(repository, 'package.json'), path.join(unfinished, 'package.json'))
    await mkdir(path.dirname(built), { recursive: true })
    await rename(unfinished, built)
    return built
  } catch (error) {
    await writeFile(path.join(root, 'failure'), String(error))
    throw error
  }
}

async function isFirst(place: string): Promise<boolean> {
  try {
    await mkdir(place)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function isThere(place: string): Promise<boolean> {
  return (await stat(place).catch(() => undefined)) !== undefined
}
