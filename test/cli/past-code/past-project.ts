import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { record } from '../../support/recordings.ts'
import { runCommand, spawnCommand, type CommandResult } from '../../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'

/** A project with an agent in a git repository of its own, which has no commit yet. */
export interface PastProject extends TemporaryDirectory {
  /** Runs git in the repository, and gives what it prints. */
  git(...args: readonly string[]): string
  /** Writes files, or removes those that are undefined, commits everything, and gives the commit's hash. */
  commit(subject: string, files?: Readonly<Record<string, string | undefined>>): Promise<string>
  /** Runs `goldenrun replay greet` with more arguments. */
  replay(...args: readonly string[]): Promise<CommandResult>
  /** Runs a command with these variables, in a folder of the project (default: its own). */
  run(args: readonly string[], env?: Readonly<Record<string, string>>, folder?: string): Promise<CommandResult>
  /** Tells commands where temporary folders are made. */
  readonly env: Readonly<Record<string, string>>
  /** What commands left of past code: worktrees beside the project's own, and temporary folders. Empty as it should be. */
  leftovers(): string[]
}

/** The agent, which says what it is told to, and asks nobody. */
export const agentSaying = (word: string): string => `export async function greeter(input: { readonly name: string }): Promise<string> {
  return \`${word} \${input.name}\`
}
`

export const config = `export default { agents: { greeter: './agent.ts#greeter' } }\n`

export const hello: string = agentSaying('Hello')
export const goodbye: string = agentSaying('Goodbye')

/** What no program is. */
export const broken = 'export const greeter = ('

export const goodFiles: Readonly<Record<string, string>> = { 'agent.ts': hello, 'goldenrun.config.ts': config }

/**
 * Makes a project whose golden `greet` holds while the agent says Hello. Its commands run from the build, because they start a process for each commit.
 */
export async function createPastProject(): Promise<PastProject> {
  const project = await createTemporaryDirectory()
  const temporary = await createTemporaryDirectory()
  const env = { TMPDIR: temporary.path, TEMP: temporary.path }
  const git = (...args: readonly string[]): string => {
    const identity = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com', '-c', 'commit.gpgSign=false']
    return execFileSync('git', [...identity, ...args], { cwd: project.path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }
  git('init', '--quiet', '--initial-branch=main')
  await project.write('package.json', '{ "name": "project", "type": "module" }\n')
  await project.write('.gitignore', 'node_modules\n.goldenrun\n')
  await addGolden(project)
  return {
    ...project,
    git,
    async commit(subject, files = {}) {
      for (const [file, text] of Object.entries(files)) {
        if (text === undefined) git('rm', '--quiet', '--cached', file)
        else await project.write(file, text)
      }
      if (!Object.values(files).includes(undefined)) git('add', '--all')
      git('commit', '--quiet', '--allow-empty', '-m', subject)
      return git('rev-parse', 'HEAD').trim()
    },
    env,
    replay: (...args) => spawnCommand(project.path, ['replay', 'greet', ...args], env),
    run: (args, more = {}, folder = '.') => spawnCommand(project.resolve(folder), args, { ...env, ...more }),
    leftovers() {
      const worktrees = git('worktree', 'list', '--porcelain').split('\n')
      const others = worktrees.filter((line) => line.startsWith('worktree ') && line !== `worktree ${project.path}`)
      const entries = project.resolve('.git/worktrees')
      const folders = readdirSync(temporary.path).filter((name) => name.startsWith('goldenrun-past-'))
      return [...others, ...(existsSync(entries) ? readdirSync(entries) : []), ...folders]
    },
    async [Symbol.asyncDispose]() {
      await temporary[Symbol.asyncDispose]()
      await project[Symbol.asyncDispose]()
    },
  }
}

/** Makes a project of two commits: `good`, in which the agent says Hello, and `bad`, in which it says Goodbye. */
export async function createGoodAndBad(): Promise<PastProject> {
  const project = await createPastProject()
  await project.commit('Say hello', goodFiles)
  project.git('tag', 'good')
  await project.commit('Say goodbye', { 'agent.ts': goodbye })
  project.git('tag', 'bad')
  return project
}

/** Makes a project with a commit for each agent, tagged `c0`, `c1` and so on. */
export async function createHistory(
  agents: readonly string[],
): Promise<{ readonly project: PastProject; readonly hashes: readonly string[] }> {
  const project = await createPastProject()
  await project.write('goldenrun.config.ts', config)
  const hashes: string[] = []
  for (const [index, agent] of agents.entries()) {
    hashes.push(await project.commit(`Change ${index}`, { 'agent.ts': agent, 'change.txt': `${index}\n` }))
    project.git('tag', `c${index}`)
  }
  return { project, hashes }
}

/** Records a run of an agent that says Hello, and promotes it in a folder of the project. */
export async function addGolden(project: TemporaryDirectory, folder = '.'): Promise<void> {
  const directory = project.resolve(folder)
  await mkdir(path.join(directory, 'golden-traces'), { recursive: true })
  await record(path.join(directory, '.goldenrun/runs'), { agent: 'greeter', input: { name: 'Ada' } }, async ({ name }) => `Hello ${name}`)
  const promoted = await runCommand(directory, ['promote', 'latest', '--name', 'greet', '--yes', '--no-replay'])
  expect(promoted.status, promoted.stderr).toBe(0)
}

/** Links a folder as a package of a project. */
export async function addPackage(project: TemporaryDirectory, name: string, target: string): Promise<void> {
  const link = project.resolve('node_modules', name)
  await mkdir(path.dirname(link), { recursive: true })
  await symlink(target, link, 'junction')
}
