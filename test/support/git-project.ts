import { execFileSync } from 'node:child_process'

/** Commits all files of a folder, in a repository of its own. */
export function commitAll(folder: string): void {
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' })
  }
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--allow-empty', '--message', 'All')
}
