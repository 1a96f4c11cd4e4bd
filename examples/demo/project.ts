import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Edit } from '../support-agent/fix.ts'
import { installPackages } from './install-packages.ts'
import { AGENT_FILES, PROJECT_FILES } from './project-files.ts'
import { runCommand, type CommandResult } from './run-command.ts'

/** How a project shows what happens in it. */
export interface ProjectOptions {
  /** Whether commands are asked to print colours. Default: they are asked not to. */
  readonly isColored?: boolean
  /** Called with each line that a command prints, but for noise. Default: nothing is shown. */
  readonly onOutput?: (line: string) => void
}

/** A project of a goldenrun user, in a temporary folder: an agent, a script that runs it, tests. */
export interface Project {
  readonly folder: string
  /** Runs a command line in the project. It does not reject because the command failed. */
  run(command: string, env?: Readonly<Record<string, string>>): Promise<CommandResult>
  read(path: string): Promise<string>
  /** Edits one place of a file. Throws where it is not there. */
  edit(path: string, edit: Edit): Promise<void>
  remove(): Promise<void>
}

const EXAMPLES = fileURLToPath(new URL('../', import.meta.url))

/** Puts the files of a project into its folder. */
export type WriteFiles = (folder: string) => Promise<void>

/** The project of the double refund: the support agent. */
export const supportFiles: WriteFiles = async (folder) => {
  for (const [path, text] of Object.entries(PROJECT_FILES)) await write(join(folder, path), text)
  for (const [from, to] of Object.entries(AGENT_FILES)) await cp(join(EXAMPLES, 'support-agent', from), join(folder, 'src', to))
}

/** The project of `docs/incident.md`. */
export const incidentFiles: WriteFiles = async (folder) => {
  await cp(join(EXAMPLES, 'incident'), folder, { recursive: true, filter: (file) => basename(file) !== '.goldenrun' })
  await write(join(folder, 'package.json'), PROJECT_FILES['package.json'] ?? '')
}

/** Creates a project, with goldenrun installed in it as it was last built. */
export async function createProject(
  writeFiles: WriteFiles,
  { isColored = false, onOutput = () => {} }: ProjectOptions = {},
): Promise<Project> {
  // A test runner prints real paths.
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'goldenrun-demo-')))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await writeFiles(folder)
    await installPackages(folder)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    folder,
    run: (command, env = {}) => runCommand(command, { folder, env, isColored, onOutput }),
    read: (path) => readFile(join(folder, path), 'utf8'),
    async edit(path, { from, to }) {
      const file = join(folder, path)
      const text = await readFile(file, 'utf8')
      if (!text.includes(from)) throw new Error(`${path} has no place that reads: ${from}`)
      await writeFile(
        file,
        text.replace(from, () => to),
      )
    },
    remove,
  }
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
