import { copyFileSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { findConfig } from '../../config/load-config.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { type Commit, findCommit, findRepository, nameCommit } from './commits.ts'
import { git, pastCodeError } from './git.ts'
import { compareLocks, installPackages, linkPackages, removePackages } from './packages.ts'
import { type Worktree, withWorktree } from './worktree.ts'

/** The code of commits, one at a time, in a worktree. */
export interface PastCode {
  readonly worktree: Worktree
  /** Returns the place of a folder of the current tree in the worktree, whether it exists there or not. */
  placeOf(directory: string): string
  /**
   * Checks a commit out, with packages and a config.
   *
   * @param name The name of the commit in messages.
   * @throws GoldenrunError `GOLDENRUN_PAST_CODE` if its lock file differs, or its packages cannot be installed.
   */
  enter(commit: Commit, name?: string): Promise<void>
}

/** How past code is set up. */
export interface PastCodeOptions {
  /** The folders of the current tree with the configs that name the agents. */
  readonly directories: readonly string[]
  /** What happens if a commit's lock file differs: its packages are installed, it is refused, or it gets the current packages. */
  readonly differingLock: 'install' | 'refuse' | 'ignore'
  /** Called with a note for the user, as a sentence. */
  readonly onNote: (note: string) => void
}

/** Makes the code of past commits of the current repository available, and removes it afterwards. */
export async function withPastCode<Result>(
  first: Commit,
  { directories, differingLock, onNote }: PastCodeOptions,
  use: (past: PastCode) => Promise<Result>,
): Promise<Result> {
  const here = realpathSync(process.cwd())
  const repository = findRepository(here)
  const within = (directory: string): string => {
    const relative = path.relative(repository, existsSync(directory) ? realpathSync(directory) : directory)
    // A folder outside of the repository has no past: its config is looked for in the working directory.
    return relative.split(path.sep, 1)[0] === '..' || path.isAbsolute(relative) ? path.relative(repository, here) : relative
  }
  const places = [...new Set([here, ...directories].map(within))]
  const folders = [...new Set(places.flatMap(foldersAbove))]
  return await withWorktree(repository, first.hash, async (worktree) => {
    const placeOf = (directory: string): string => path.join(worktree.root, within(directory))
    const added = new Set<string>()
    let installed: string | undefined
    return await use({
      worktree,
      placeOf,
      async enter(commit, name = nameCommit(commit)) {
        for (const file of added) rmSync(file, { force: true })
        added.clear()
        git(worktree.root, ['checkout', '--detach', '--force', '--quiet', commit.hash])
        mkdirSync(placeOf(here), { recursive: true })
        const { differing, text } = compareLocks(worktree, folders)
        if (differing !== undefined && differingLock === 'refuse') throw differingLockError(name, differing)
        // Packages installed for one commit are reused for the next commit with the same lock file.
        if (differing === undefined || installed !== text) {
          removePackages(worktree, folders)
          installed = undefined
          if (differing === undefined || differingLock === 'ignore') linkPackages(worktree, folders)
          else {
            await installPackages(worktree, placeOf(here), name)
            installed = text
          }
        }
        for (const place of places) {
          const file = addConfig(worktree, place)
          if (file === undefined) continue
          added.add(path.join(worktree.root, file))
          onNote(`${name} has no ${path.basename(file)}: the current one is used, with the code of ${name}.`)
        }
      },
    })
  })
}

/**
 * Checks out a commit in a temporary folder, with the currently installed packages, calls `use`, and removes the checkout. If the commit has no
 * config, it gets the current one.
 *
 * @param ref A commit, branch or tag.
 * @param use Called with the counterpart of the current directory in that commit.
 * @throws GoldenrunError `GOLDENRUN_WITNESS` if there is no such commit, or no git.
 */
export async function withWitness<Result>(ref: string, use: (directory: string) => Promise<Result>): Promise<Result> {
  try {
    const commit = findCommit(findRepository(process.cwd()), ref)
    const options = { directories: [], differingLock: 'ignore', onNote: () => undefined } as const
    return await withPastCode(commit, options, async (past) => {
      await past.enter(commit, ref)
      return await use(past.placeOf(process.cwd()))
    })
  } catch (error) {
    if (!GoldenrunError.isInstance(error) || error.code !== pastCodeError('').code) throw error
    const message = `Cannot check out ${ref} for --witness: ${error.message} Name a commit, a branch or a tag of this repository.`
    throw new GoldenrunError('GOLDENRUN_WITNESS', message, { cause: error })
  }
}

function differingLockError(name: string, lock: string): Error {
  return pastCodeError(
    `The ${lock} of ${name} differs from the current one, so the installed packages are not those of that commit. ` +
      'To install its own for this replay: --install',
  )
}

/** Copies the current config into a worktree without a config. @returns The copied file, relative to the root; undefined if none was copied. */
function addConfig({ repository, root }: Worktree, place: string): string | undefined {
  if (findConfig(path.join(root, place), root) !== undefined) return undefined
  const current = findConfig(path.join(repository, place), repository)
  if (current === undefined) return undefined
  const file = path.relative(repository, current)
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  copyFileSync(current, path.join(root, file))
  return file
}

/** Returns a folder and the folders above it, up to the root, relative to the root. */
function foldersAbove(folder: string): string[] {
  return folder === '' || folder === '.' ? ['.'] : [folder, ...foldersAbove(path.dirname(folder))]
}
