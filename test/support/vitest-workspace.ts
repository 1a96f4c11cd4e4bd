import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { AGENT_FILES } from '../../examples/demo/project-files.ts'
import { buildPackage, linkPackages } from './build-package.ts'
import { runNode, type CommandResult } from './run-command.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** What came of a run of Vitest. */
export interface VitestResult {
  readonly status: number | null
  /** All that it printed on both streams, without colours, times and rulers. */
  readonly output: string
}

/** A project in a workspace. */
export interface VitestProject {
  readonly path: string
  write(file: string, text: string): Promise<void>
  read(file: string): Promise<string>
  /** Replaces a text in a file. Throws where it is not there. */
  edit(file: string, from: string, to: string): Promise<void>
  /** Runs the package's command line in the project, without a terminal. */
  goldenrun(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>
  /** Runs the real Vitest in the project, to its end. */
  vitest(args: readonly string[], env?: Readonly<Record<string, string | undefined>>): Promise<VitestResult>
  /** Starts it and leaves it running. */
  watch(args: readonly string[]): WatchedVitest
}

/** A Vitest that runs in watch mode. */
export interface WatchedVitest extends AsyncDisposable {
  /** Waits until it has printed what matches, since the last time. */
  printed(pattern: RegExp): Promise<string>
}

/** Projects of users of the built package, in a temporary directory with one `node_modules` for all. */
export interface VitestWorkspace extends AsyncDisposable {
  /** Makes a project of these files, by their paths. */
  project(files: Readonly<Record<string, string>>): Promise<VitestProject>
}

/** Installs the built package in a new workspace; what the projects need is linked to what is installed here. */
export async function createVitestWorkspace(): Promise<VitestWorkspace> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-test-')))
  const modules = path.join(root, 'node_modules')
  const own = path.join(modules, 'goldenrun')
  await cp(await buildPackage(), own, { recursive: true })
  await linkPackages(modules, ['@opentelemetry/api', '@vitest/ui', 'openai', 'vitest'])
  let projects = 0
  return {
    async project(files) {
      projects += 1
      const project = createProject(path.join(root, `project-${projects}`))
      const manifest = '{ "name": "support", "private": true, "type": "module" }\n'
      for (const [file, text] of Object.entries({ 'package.json': manifest, ...files })) await project.write(file, text)
      return project
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** The files of a project that has the support agent, the two goldens of it, and the plugin. */
export async function supportProject(): Promise<Record<string, string>> {
  const read = (file: string): Promise<string> => readFile(path.join(repository, file), 'utf8')
  const agent = Object.entries(AGENT_FILES).map(async ([from, to]) => [`src/${to}`, await read(`examples/support-agent/${from}`)] as const)
  const goldens = ['cancel-unshipped', 'refund-twice'].map(async (name) => {
    const text = await read(`golden-traces/${name}-support-openai.jsonl`)
    return [
      `golden-traces/${name}.jsonl`,
      text.replaceAll(`${name}-support-openai`, name).replace('"agent":"support-openai"', '"agent":"support"'),
    ] as const
  })
  return {
    ...Object.fromEntries(await Promise.all([...agent, ...goldens])),
    'vitest.config.ts': `import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [goldenrun()], test: { reporters: ['default'] } })
`,
    'goldenrun.config.ts': `import { defineConfig } from 'goldenrun/config'

export default defineConfig({ agents: { support: './src/agent.ts#supportAgent' } })
`,
  }
}

function createProject(folder: string): VitestProject {
  const resolve = (file: string): string => path.join(folder, file)
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(resolve(file)), { recursive: true })
    await writeFile(resolve(file), text)
  }
  const read = (file: string): Promise<string> => readFile(resolve(file), 'utf8')
  return {
    path: folder,
    write,
    read,
    async edit(file, from, to) {
      const text = await read(file)
      if (!text.includes(from)) throw new Error(`${file} has no place that reads: ${from}`)
      await write(
        file,
        text.replace(from, () => to),
      )
    },
    goldenrun: (args, env) => runNode(folder, [path.join(folder, '../node_modules/goldenrun/dist/cli.js'), ...args], env),
    async vitest(args, env = {}) {
      const child = start(folder, args, env)
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
      const status = await new Promise<number | null>((settle, reject) => void child.once('error', reject).once('close', settle))
      return { status, output: withoutNoise(output, folder) }
    },
    watch: (args) => watch(folder, args),
  }
}

/** @note A shell makes one stream of both, or reports and summaries come in another order than they were printed in. */
function start(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ChildProcessByStdio<Writable, Readable, null> {
  // A process that knows nothing of the test runner that it is started by, nor of where that runs.
  const foreign = /^(VITEST|CI$|GITHUB_|NODE_ENV$|NODE_OPTIONS$|GOLDENRUN|FORCE_COLOR$)/
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs')
  // Slow tests are printed otherwise, and what is slow depends on the machine.
  const command = [process.execPath, vitest, ...args, '--slowTestThreshold=100000'].map((word) => `"${word}"`).join(' ')
  return spawn(`${process.platform === 'win32' ? '' : 'exec '}${command} 2>&1`, {
    cwd: folder,
    env: { ...Object.fromEntries(own), NO_COLOR: '1', ...env },
    shell: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

function watch(folder: string, args: readonly string[]): WatchedVitest {
  const child = start(folder, ['watch', ...args], {})
  const closed = new Promise<void>((settle) => void child.once('close', () => settle()))
  let unseen = ''
  let look = (): void => undefined
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    unseen += text
    look()
  })
  return {
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          const output = withoutNoise(unseen, folder)
          if (!pattern.test(output)) return
          unseen = ''
          look = () => undefined
          resolve(output)
        }
        void closed.then(() => reject(new Error(`Vitest ended before it printed ${String(pattern)}: ${unseen}`)))
        look()
      }),
    async [Symbol.asyncDispose]() {
      child.kill()
      await closed
    },
  }
}

/** What Vitest prints, without what differs from run to run. */
function withoutNoise(output: string, folder: string): string {
  return (
    stripVTControlCharacters(output)
      .replaceAll(folder, '<project>')
      .split('\n')
      .filter((line) => !/^ *(RUN +v\d|(Start at|Duration|Import|Isolate) |~\d|at least|learn more)|⎯⎯⎯/.test(line))
      .map((line) => line.replace(/ \d+ms$/, ''))
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      // Vitest's hints stand there, if it has any.
      .replaceAll(/\n\n( +Goldens )/g, '\n$1')
      .trim()
  )
}
