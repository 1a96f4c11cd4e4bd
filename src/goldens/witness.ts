import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

const execute = promisify(execFile)

/** What a commit's code needs to run but does not contain. */
const beside = 'node_modules'

/**
 * Checks out a commit next to the project, with the currently installed packages, calls `use`, and removes the checkout.
 *
 * @param ref A commit, branch or tag.
 * @param config The current config file, which is copied if the commit has none.
 * @param use Called with the counterpart of the current directory in that commit.
 * @throws GoldenrunError `GOLDENRUN_WITNESS` if there is no such commit, or no git.
 */
export async function withWitness<Result>(
  ref: string,
  config: string | undefined,
  use: (directory: string) => Promise<Result>,
): Promise<Result> {
  const here = await realpath(process.cwd())
  const root = await realpath((await git(ref, here, ['rev-parse', '--show-toplevel'])).trim())
  const parent = await mkdtemp(path.join(await realpath(tmpdir()), 'goldenrun-witness-'))
  const tree = path.join(parent, 'tree')
  try {
    await git(ref, root, ['worktree', 'add', '--detach', '--quiet', tree, ref])
    for (const directory of directoriesBetween(root, here)) await linkPackages(directory, path.join(tree, path.relative(root, directory)))
    if (config !== undefined) await addConfig(config, path.join(tree, path.relative(root, await realpath(config))))
    return await use(path.join(tree, path.relative(root, here)))
  } finally {
    await execute('git', ['worktree', 'remove', '--force', tree], { cwd: root }).catch(() => undefined)
    await rm(parent, { recursive: true, force: true })
  }
}

async function git(ref: string, cwd: string, args: readonly string[]): Promise<string> {
  try {
    return (await execute('git', args, { cwd })).stdout
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string }
    const why = stderr.trim() === '' ? message : stderr.trim()
    throw new GoldenrunError(
      'GOLDENRUN_WITNESS',
      `Cannot check out ${ref} for --witness: ${why}. Name a commit, a branch or a tag of this repository.`,
      {
        cause: error,
      },
    )
  }
}

/** The directories from the root of a repository down to a directory in it. */
function directoriesBetween(root: string, directory: string): string[] {
  return directory === root ? [root] : [...directoriesBetween(root, path.dirname(directory)), directory]
}

async function linkPackages(from: string, to: string): Promise<void> {
  const [source, target] = [path.join(from, beside), path.join(to, beside)]
  if (existsSync(source) && existsSync(to) && !existsSync(target)) await symlink(source, target, 'junction')
}

async function addConfig(from: string, to: string): Promise<void> {
  const isThere = ['ts', 'mts', 'js', 'mjs'].some((extension) => existsSync(path.join(path.dirname(to), `goldenrun.config.${extension}`)))
  if (!isThere && existsSync(path.dirname(to))) await copyFile(from, to)
}
