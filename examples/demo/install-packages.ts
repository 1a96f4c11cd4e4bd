import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Manifest {
  readonly name: string
  readonly bin?: string | Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

/** What the project has installed beside goldenrun. */
const PACKAGES = ['openai', 'vitest']

/**
 * Puts goldenrun into a project's `node_modules` as npm would: a copy of what the package holds. Its dependencies and the project's own are
 * links to those of this repository, so that nothing is downloaded.
 */
export async function installPackages(project: string): Promise<void> {
  const modules = join(project, 'node_modules')
  const goldenrun = join(modules, 'goldenrun')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await mkdir(goldenrun)
  for (const part of ['package.json', 'dist']) {
    await cp(join(REPOSITORY, part), join(goldenrun, part), { recursive: true }).catch((cause: unknown) => {
      throw new Error(`There is no ${part} of goldenrun to install. Build it first: npm run build`, { cause })
    })
  }
  const { dependencies = {} } = await linkCommands(modules, goldenrun)
  for (const name of [...Object.keys(dependencies), ...PACKAGES]) {
    const folder = join(REPOSITORY, 'node_modules', name)
    // A package of a scope lies a folder deeper.
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(folder, join(modules, name), 'junction')
    await linkCommands(modules, folder)
  }
}

/** Makes a package's commands known to npx. */
async function linkCommands(modules: string, folder: string): Promise<Manifest> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, bin = {} } = manifest
  for (const [command, file] of Object.entries(typeof bin === 'string' ? { [name]: bin } : bin)) {
    await symlink(join(folder, file), join(modules, '.bin', command))
  }
  return manifest
}
