import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { FIX } from '../../examples/support-agent/fix.ts'
import { CANCEL_UNSHIPPED, REFUND_LOST_ORDER } from '../../examples/support-agent/scripts.ts'
import { startSupportWorld } from '../../examples/support-agent/start-world.ts'
import { PROJECT_FILES } from '../../examples/demo/project-files.ts'
import { supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'
import { type Page, REPOSITORY } from './pages.ts'
import { withoutNetworkNote } from '../support/run-command.ts'

/** What came of a command line. */
export interface CommandOutcome {
  readonly status: number | null
  /** Both streams, without colours. */
  readonly output: string
}

/**
 * A project in which a page's code and commands run: the support agent of the examples, with its goldens, two recordings, and the page's files,
 * in a world of loopback servers.
 */
export interface PageProject extends AsyncDisposable {
  readonly path: string
  /** Runs a command line as a reader would. Questions are answered with yes. */
  run(command: string): Promise<CommandOutcome>
}

/** Makes a page's project in a workspace. */
export async function createPageProject(workspace: VitestWorkspace, page: Page): Promise<PageProject> {
  const base = await supportProject()
  const fixed = (base['src/run-tool.ts'] ?? '').replace(FIX.from, () => FIX.to)
  const files = page.blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const]))
  const project = await workspace.project({
    ...base,
    'src/run-tool.ts': fixed,
    'src/answer-ticket.ts': PROJECT_FILES['src/answer-ticket.ts'] ?? '',
    ...Object.fromEntries(files),
  })
  await install(project)
  if (page.path === 'docs/past-code.md') await addHistory(project)
  const compilerOptions = { declaration: false, isolatedDeclarations: false }
  const settings = { extends: path.join(REPOSITORY, 'tsconfig.json'), compilerOptions, include: ['**/*'] }
  await project.write('tsconfig.json', JSON.stringify(settings))
  const world = await startSupportWorld()
  const run = (command: string): Promise<CommandOutcome> => runInShell(command, project.path, world.env)
  for (const { ticket } of [REFUND_LOST_ORDER, CANCEL_UNSHIPPED]) {
    const { status, output } = await run(`node src/answer-ticket.ts "${ticket}"`)
    if (status !== 0) throw new Error(`The project's recordings could not be made: ${output}`)
  }
  return { path: project.path, run, [Symbol.asyncDispose]: () => world.close() }
}

/** Commits the project: it holds at `v1.2`, and has another prompt at `v1.3`. */
async function addHistory(project: VitestProject): Promise<void> {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com', ...args], { cwd: project.path, encoding: 'utf8' })
  await project.write('.gitignore', 'node_modules\n')
  git('init', '--quiet')
  const commit = (subject: string, tag: string): void => {
    git('add', '--all')
    git('commit', '--quiet', '-m', subject)
    git('tag', tag)
  }
  commit('Answer tickets', 'v1.2')
  await project.edit('src/prompt.ts', 'three friendly sentences', 'three formal sentences')
  commit('Answer formally', 'v1.3')
  await project.edit('src/prompt.ts', 'three formal sentences', 'three friendly sentences')
}

/** Puts what the repository has installed beside the workspace's goldenrun, commands included. */
async function install({ path: folder }: VitestProject): Promise<void> {
  const own = path.join(folder, 'node_modules')
  const shared = path.join(REPOSITORY, 'node_modules')
  const goldenrun = path.join(folder, '../node_modules/goldenrun')
  await mkdir(path.join(own, '.bin'), { recursive: true })
  for (const name of await readdir(shared)) {
    if (!name.startsWith('.')) await symlink(path.join(shared, name), path.join(own, name), 'junction')
  }
  await symlink(goldenrun, path.join(own, 'goldenrun'), 'junction')
  for (const name of await readdir(path.join(shared, '.bin'))) await symlink(path.join(shared, '.bin', name), path.join(own, '.bin', name))
  await chmod(path.join(goldenrun, 'dist/cli.js'), 0o755)
  await symlink(path.join(goldenrun, 'dist/cli.js'), path.join(own, '.bin/goldenrun'))
}

function runInShell(command: string, folder: string, env: Readonly<Record<string, string>>): Promise<CommandOutcome> {
  // A process that knows nothing of the test runner that it is started by, nor of where that runs.
  const foreign = /^(VITEST|CI$|GITHUB_|NODE_ENV$|NODE_OPTIONS$|GOLDENRUN|FORCE_COLOR$)/
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  const child = spawn(`${command} 2>&1`, {
    cwd: folder,
    env: {
      ...Object.fromEntries(inherited),
      ...env,
      NO_COLOR: '1',
      PATH: [path.join(folder, 'node_modules/.bin'), path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
      npm_config_loglevel: 'error',
    },
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += withoutNetworkNote(text)))
  return new Promise((settle, reject) => {
    child.once('error', reject).once('close', (status) => settle({ status, output: stripVTControlCharacters(output) }))
  })
}
