import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { linkPackages } from '../../test/support/build-package.ts'
import { buildPrograms } from './build-programs.ts'
import { runNode } from './run-node.ts'

/** A built package that is installed for the fence. */
export interface Build {
  /** The working directory of its processes, with `golden-traces` that it recorded. */
  readonly folder: string
  /** The folder of the package: `package.json` and `dist`. */
  readonly installed: string
}

/** The two builds, and the programs that measure them. */
export interface Builds extends AsyncDisposable {
  readonly reference: Build
  readonly here: Build
  /** The folder of `workload-program.js`. */
  readonly programs: string
}

/**
 * Installs two built packages in the same way, and lets each record the goldens that it replays. The paths have the same length, since a path is in every
 * stack and URL.
 */
export async function prepareBuilds(packages: { readonly reference: string; readonly here: string }): Promise<Builds> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-fence-')))
  const remove = (): Promise<void> => rm(root, { recursive: true, force: true, maxRetries: 3 })
  try {
    const programs = path.join(root, 'programs')
    await buildPrograms(programs)
    const reference = await install(packages.reference, path.join(root, 'reference'), programs)
    const here = await install(packages.here, path.join(root, 'candidate'), programs)
    return { reference, here, programs, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function install(source: string, folder: string, programs: string): Promise<Build> {
  const modules = path.join(folder, 'node_modules')
  const installed = path.join(modules, 'goldenrun')
  await mkdir(installed, { recursive: true })
  for (const part of ['package.json', 'dist']) await cp(path.join(source, part), path.join(installed, part), { recursive: true })
  await linkPackages(modules, ['vitest'])
  await runNode([path.join(programs, 'record-goldens.js'), installed], { cwd: folder })
  return { folder, installed }
}
