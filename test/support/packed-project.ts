import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { withoutNetworkNote } from './run-command.ts'

/** A text that is put in the place of another. */
export interface ProjectEdit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** What came of a command line. */
export interface LineResult {
  readonly status: number | null
  /** All that it printed, on both streams. */
  readonly output: string
}

/** A project of `test/projects` in a temporary folder, with the packed package in it. */
export interface PackedProject extends AsyncDisposable {
  readonly folder: string
  /** The project in the repository. */
  readonly committed: string
  /** Makes its files what they are in the repository; what is installed, and listed, stays, without what runners keep there of earlier runs. */
  restore(): Promise<void>
  /** Throws where the text is not there. */
  edit(edit: ProjectEdit): Promise<void>
  /** Runs a command line in it, in a shell. */
  run(line: string, env?: Readonly<Record<string, string>>): Promise<LineResult>
}

/** How a project is installed. */
export interface ProjectInstallation {
  /** Command lines, in which `<tarball>` is the packed package. Default: npm's. */
  readonly install?: readonly string[]
  /** Added to the environment of every command in it. */
  readonly env?: Readonly<Record<string, string>>
}

const quiet = '--prefer-offline --no-audit --no-fund --loglevel=error'

/** What `npm ci` installs, and the package beside it: command lines, in which `<tarball>` is the packed package. */
const installWithNpm: readonly string[] = [`npm ci ${quiet}`, `npm install --no-save ${quiet} "<tarball>"`]

/** What package managers put into a project. */
const installed: ReadonlySet<string> = new Set(['node_modules', '.pnp.cjs', '.pnp.loader.mjs', '.yarn'])

/** What they write down in a project that the package is added to. */
const manifests: ReadonlySet<string> = new Set(['package.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'])

const projects = fileURLToPath(new URL('../projects/', import.meta.url))

/**
 * Copies a project and installs what it lists, and the packed package.
 *
 * @param tarball The packed package, as an absolute path.
 */
export async function createPackedProject(
  name: string,
  tarball: string,
  { install = installWithNpm, env: ownEnv = {} }: ProjectInstallation = {},
): Promise<PackedProject> {
  const committed = path.join(projects, name)
  // Runners print real paths.
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), `goldenrun-${name}-`)))
  const isKept = (entry: string): boolean => installed.has(entry) || (isInstalled && manifests.has(entry))
  let isInstalled = false
  const project: PackedProject = {
    folder,
    committed,
    async restore() {
      for (const entry of await readdir(folder)) if (!isKept(entry)) await rm(path.join(folder, entry), { recursive: true })
      await rm(path.join(folder, 'node_modules/.vite'), { recursive: true, force: true })
      await cp(committed, folder, {
        recursive: true,
        filter: (file) => isOfProject(file) && !(path.dirname(file) === committed && isKept(path.basename(file))),
      })
    },
    async edit({ file, from, to }) {
      const place = path.join(folder, file)
      const text = await readFile(place, 'utf8')
      if (!text.includes(from)) throw new Error(`${file} has no place that reads: ${from}`)
      const edited = text.replace(from, () => to)
      await writeFile(place, edited)
    },
    run: (line, env = {}) => runLine(line, folder, { ...ownEnv, ...env }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
  await project.restore()
  for (const line of install) {
    const { status, output } = await project.run(line.replaceAll('<tarball>', tarball))
    if (status !== 0) throw new Error(`${line} in ${folder} ended with ${String(status)}:\n${output}`)
  }
  isInstalled = true
  return project
}

/** @note What somebody installed in the repository's copy, to work on it, is not what is tested. */
function isOfProject(file: string): boolean {
  const name = path.basename(file)
  return !installed.has(name) && !/^expected-.*\.txt$/.test(name)
}

/**
 * Runs a command line in a folder, in the environment of a terminal.
 *
 * @note A shell makes one stream of both, or reports and summaries come in another order than they were printed in.
 */
export async function runLine(line: string, folder: string, env: Readonly<Record<string, string>>): Promise<LineResult> {
  const child = spawn(`${line} 2>&1`, {
    cwd: folder,
    env: { ...foreignEnvironment(), ...env },
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += withoutNetworkNote(text)))
  const status = await new Promise<number | null>((settle, reject) => void child.once('error', reject).once('close', settle))
  return { status, output }
}

/** The environment of a terminal in which neither npm nor a test runner runs, on this Node. */
function foreignEnvironment(): NodeJS.ProcessEnv {
  const ofRunners = /^(VITEST|JEST_|CI$|GITHUB_|NODE_ENV$|NODE_OPTIONS$|GOLDENRUN|FORCE_COLOR$|TEST$|MODE$|DEV$|PROD$|SSR$|BASE_URL$)/
  // What npm says of the package that it runs a script of; what the user set for all packages stays.
  const ofNpm = /^(npm_(package|lifecycle|command|execpath|node_execpath)|npm_config_(local_)?prefix$|INIT_CWD$)/
  const own = Object.entries(process.env).filter(([name]) => !ofRunners.test(name) && !ofNpm.test(name))
  const { PATH = '', ...others } = Object.fromEntries(own)
  return {
    ...others,
    PATH: [path.dirname(process.execPath), PATH].join(path.delimiter),
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
  }
}
