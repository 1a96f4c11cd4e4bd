import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'

/** Where a reference is built. */
export interface ReferenceOptions {
  /** The repository whose history has the commit. */
  readonly repository: string
  /** The folder that keeps built references, each in a folder named by its commit. */
  readonly keptIn: string
}

/**
 * Returns the folder of a commit's built package. The commit is built once, with its own dependencies, and the package is kept.
 *
 * @param commit The whole hash.
 * @throws Error if the commit is not in the clone and cannot be fetched, or cannot be built.
 */
export function buildReference(commit: string, { repository, keptIn }: ReferenceOptions): string {
  const kept = path.join(keptIn, commit)
  if (existsSync(kept)) return kept
  bringCommit(commit, repository)
  // A name of its own: another fence may build the same commit.
  const checkout = path.join(keptIn, `unfinished-${process.pid}`)
  rmSync(checkout, { recursive: true, force: true })
  mkdirSync(checkout, { recursive: true })
  try {
    build(commit, repository, checkout)
    const built = path.join(checkout, 'built')
    mkdirSync(built)
    for (const part of ['package.json', 'dist']) renameSync(path.join(checkout, part), path.join(built, part))
    if (!existsSync(kept)) renameSync(built, kept)
    return kept
  } finally {
    rmSync(checkout, { recursive: true, force: true })
  }
}

/** A shallow clone lacks the commit: it is fetched alone. */
function bringCommit(commit: string, repository: string): void {
  const git = (args: readonly string[]): string => execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: 'pipe' })
  try {
    git(['cat-file', '-e', `${commit}^{commit}`])
    return
  } catch {
    // It is not here yet.
  }
  try {
    git(['fetch', '--quiet', '--depth', '1', 'origin', commit])
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string }
    throw new Error(
      `The fence cannot run: its reference, commit ${commit}, is not in this clone, and could not be fetched from origin.\n` +
        `  ${(stderr ?? String(error)).trim().replaceAll('\n', '\n  ')}\n` +
        'Fetch the whole history (git fetch --unshallow), or fetch the commit from a remote that has it: git fetch <remote> <commit>.',
      { cause: error },
    )
  }
}

/** Builds the commit from an archive of its files, so that no worktree has to be registered and removed. */
function build(commit: string, repository: string, checkout: string): void {
  const run = (command: string, args: readonly string[], cwd: string): void => {
    // The commit's package `node` has no binary without install scripts: the running Node stands in, and has to be found first.
    const env = { ...process.env, PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter) }
    try {
      execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' && command === 'npm' })
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
      const failed = `${command} ${args.join(' ')}`
      throw new Error(`The fence cannot run: its reference, commit ${commit}, could not be built. ${failed} failed:\n${stdout}${stderr}`, {
        cause: error,
      })
    }
  }
  run('git', ['archive', '--format=tar', `--output=${path.join(checkout, 'files.tar')}`, commit], repository)
  run('tar', ['-xf', 'files.tar'], checkout)
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], checkout)
  run('npm', ['run', '--silent', '--if-present', 'dependencies'], checkout)
  run('npm', ['run', '--silent', 'build'], checkout)
}
