import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { git, tryGit } from './git.ts'

/** A worktree of a repository in a temporary folder. */
export interface Worktree {
  /** The root of the repository that the worktree belongs to. */
  readonly repository: string
  /** The root of the worktree itself. */
  readonly root: string
  /** The temporary folder, which is removed with the worktree. */
  readonly folder: string
  /**
   * Runs a program, which ends with the worktree at the latest. Its output goes to standard error.
   *
   * @returns Its exit status, or the signal that ended it.
   */
  run(
    program: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly shell?: boolean },
  ): Promise<number | NodeJS.Signals>
}

/**
 * Adds a worktree without files, and removes it afterwards, even if a signal ends this process or it exits.
 *
 * @param hash The commit of the worktree.
 */
export async function withWorktree<Result>(
  repository: string,
  hash: string,
  use: (worktree: Worktree) => Promise<Result>,
): Promise<Result> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'goldenrun-past-')))
  const root = path.join(folder, 'tree')
  const children = new Set<ChildProcess>()
  const remove = (): void => {
    process.off('exit', remove)
    for (const signal of signals) process.off(signal, onSignal)
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    // Git only has to forget the worktree, whose files are gone. It may not have been added.
    tryGit(repository, ['worktree', 'remove', '--force', root])
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    remove()
    process.kill(process.pid, signal)
  }
  process.on('exit', remove)
  for (const signal of signals) process.on(signal, onSignal)
  try {
    git(repository, ['worktree', 'add', '--detach', '--no-checkout', '--quiet', root, hash])
    return await use({
      repository,
      root,
      folder,
      run: (program, args, options) =>
        new Promise((resolve, reject) => {
          const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
          children.add(child)
          for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => void process.stderr.write(text))
          child.once('error', reject)
          child.once('close', (status, signal) => {
            children.delete(child)
            resolve(status ?? signal ?? 1)
          })
        }),
    })
  } finally {
    remove()
  }
}

const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
