import { realpathSync } from 'node:fs'
import { nearestNames } from '../../replay/traces/nearest-names.ts'
import { git, pastCodeError, tryGit } from './git.ts'

/** A commit of the repository. */
export interface Commit {
  readonly hash: string
  readonly subject: string
  /** The author's date, as ISO 8601. */
  readonly date: string
}

/**
 * Returns the root of the repository that contains a directory.
 *
 * @throws GoldenrunError `GOLDENRUN_PAST_CODE` if no repository contains it.
 */
export function findRepository(directory: string): string {
  const { status, stdout } = tryGit(directory, ['rev-parse', '--show-toplevel'])
  if (status !== 0) throw pastCodeError(`${directory} is not in a git repository, so there are no commits.`)
  return realpathSync(stdout.replace(/\n$/, ''))
}

/**
 * Finds a commit by its hash, a branch, a tag or any other git revision.
 *
 * @throws GoldenrunError `GOLDENRUN_PAST_CODE` with the nearest names if there is none.
 */
export function findCommit(repository: string, ref: string): Commit {
  const { status, stdout } = tryGit(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  const hash = stdout.trim()
  // Only a hash is passed on, so no text that could be an option reaches another command.
  if (status !== 0 || !/^[0-9a-f]{40,64}$/.test(hash)) throw unknownRef(repository, ref)
  return readCommit(repository, hash)
}

/** Reads a commit by its hash. */
export function readCommit(repository: string, hash: string): Commit {
  const text = git(repository, ['log', '-1', '--no-show-signature', '--no-color', '--format=%aI%n%s', hash])
  const [date = '', subject = ''] = text.split('\n')
  return { hash, subject, date }
}

/** Whether a commit comes before another. */
export function comesBefore(repository: string, one: Commit, other: Commit): boolean {
  return one.hash !== other.hash && tryGit(repository, ['merge-base', '--is-ancestor', one.hash, other.hash]).status === 0
}

/** Returns a commit's name in messages: `1f2e3d4c5b6a (Answer formally)`. */
export function nameCommit({ hash, subject }: Commit): string {
  return `${shortHash(hash)} (${subject})`
}

/** Returns the first characters of a hash. */
export function shortHash(hash: string): string {
  return hash.slice(0, 12)
}

function unknownRef(repository: string, ref: string): Error {
  const names = git(repository, ['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes']).split('\n')
  const nearest = nearestNames(
    ref,
    names.filter((name) => name !== ''),
  )
  const isShallow = git(repository, ['rev-parse', '--is-shallow-repository']).trim() === 'true'
  return pastCodeError(
    [
      `There is no commit "${ref}" in this repository.`,
      ...(nearest.length > 0 ? [`The nearest: ${nearest.join(', ')}.`] : []),
      isShallow ? 'It is a shallow clone: git fetch --unshallow --tags' : 'To see all: git branch --all; git tag',
    ].join(' '),
  )
}
