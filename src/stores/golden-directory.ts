import { type Dirent, readdirSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { displayPath } from '../node/display-path.ts'
import { orMissing } from '../node/or-missing.ts'
import { GoldenExistsError } from './errors/golden-exists-error.ts'
import { readTraceFile } from './read-trace-file.ts'
import type { StoredTrace } from './trace-store.ts'
import { writeFileAtomically } from './write-file-atomically.ts'
import { GoldenNameError } from './errors/golden-name-error.ts'
import { clashOfName, GOLDEN_EXTENSION, problemOfName, problemOfPath } from './golden-name.ts'

/**
 * The golden traces of a project: a directory with one file each, optionally in folders. A golden's name is its file's path within the directory.
 */
export interface GoldenDirectory {
  /** An absolute path; the directory need not exist. */
  readonly directory: string
  /** The names of its goldens in alphabetical order. */
  list(): Promise<string[]>
  /** Like `list`, synchronous. */
  listNow(): string[]
  /** Finds the goldens that a name may mean: the name itself, or else goldens of that name in folders (`refund-twice` finds `support/refund-twice`). */
  find(name: string): Promise<string[]>
  /**
   * Returns the file of a golden by its name, existing or not.
   *
   * @throws GoldenNameError for a name that leads out of the directory.
   */
  fileOf(name: string): string
  /**
   * Returns the file for a new golden by its name.
   *
   * @throws GoldenNameError also for a name that cannot be a file name on every system, or that some system takes for another golden's.
   */
  fileForNew(name: string): string
  /** Reads a golden by its full name; undefined if there is none. */
  read(name: string): Promise<StoredTrace | undefined>
  /**
   * Writes a golden atomically. Creates the folders it needs.
   *
   * @throws GoldenExistsError if the name exists, unless `force` is set (default: false). GoldenNameError as `fileForNew`.
   */
  write(name: string, text: string, options?: { readonly force?: boolean }): Promise<void>
}

const everyFile = { recursive: true, withFileTypes: true } as const

/** Gives access to the goldens in a directory; by default the project's. */
export function createGoldenDirectory(directory: string = findGoldenDirectory()): GoldenDirectory {
  const root = path.resolve(directory)
  const list = async (): Promise<string[]> => {
    return namesOf(await orMissing(readdir(root, everyFile), []), root)
  }
  const fileOf = (name: string): string => {
    refuse(name, problemOfPath(name))
    return path.join(root, `${name}${GOLDEN_EXTENSION}`)
  }
  const fileForNew = (name: string): string => {
    refuse(name, problemOfName(name) ?? clashOfName(root, name))
    return fileOf(name)
  }
  return {
    directory: root,
    list,
    listNow: () => (isDirectory(root) ? namesOf(readdirSync(root, everyFile), root) : []),
    async find(name) {
      const names = await list()
      return names.includes(name) ? [name] : names.filter((candidate) => candidate.endsWith(`/${name}`))
    },
    fileOf,
    fileForNew,
    read: (name) => readTraceFile(fileOf(name)),
    async write(name, text, options = {}) {
      const file = fileForNew(name)
      const written = await writeFileAtomically(file, text, options)
      if (!written) throw new GoldenExistsError(name, displayPath(file))
    },
  }
}

function refuse(name: string, problem: string | undefined): void {
  if (problem !== undefined) throw new GoldenNameError(name, problem)
}

/** Returns whether a file, or a module by its id, is a golden trace and not its text (`?raw`). */
export function isGolden(id: string): boolean {
  return /(?:^|[\\/])golden-traces[\\/](?:.*[\\/])?[^\\/?]+\.jsonl$/.test(id)
}

/**
 * Sets an additional starting point for finding a project's goldens. A test runner, which may run the tests of several projects from one
 * directory, passes the folder of the test file. The inner one of the two takes precedence.
 *
 * @param origin Called for each search; returns undefined if there is no starting point.
 */
export function lookForGoldensFrom(origin: () => string | undefined): void {
  findOrigin = origin
}

let findOrigin: () => string | undefined = () => undefined

/**
 * Finds the nearest `golden-traces` upwards from a directory; if there is none, returns the one next to the nearest `package.json`.
 *
 * @param from Default: the working directory, and the test runner's starting point.
 */
export function findGoldenDirectory(from?: string): string {
  const ancestors = (from === undefined ? usualOrigins() : [path.resolve(from)]).flatMap(listAncestors)
  const project =
    ancestors.find((ancestor) => isDirectory(path.join(ancestor, 'golden-traces'))) ??
    ancestors.find((ancestor) => statSync(path.join(ancestor, 'package.json'), { throwIfNoEntry: false }) !== undefined)
  return path.join(project ?? from ?? process.cwd(), 'golden-traces')
}

function usualOrigins(): string[] {
  const here = process.cwd()
  const origin = findOrigin()
  if (origin === undefined) return [here]
  return listAncestors(origin).includes(here) ? [origin, here] : [here, origin]
}

function namesOf(entries: readonly Dirent[], root: string): string[] {
  return entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(GOLDEN_EXTENSION))
    .map((entry) =>
      path.relative(root, path.join(entry.parentPath, entry.name)).slice(0, -GOLDEN_EXTENSION.length).replaceAll(path.sep, '/'),
    )
    .filter((name) => !/(^|\/)\./.test(name))
    .toSorted(inOrder)
}

/** Compares names alphabetically, but the numbers of a conversation's runs by size: `refund-talk/2` comes before `refund-talk/10`. */
function inOrder(one: string, other: string): number {
  const [[folder, number], [otherFolder, otherNumber]] = [numberOf(one), numberOf(other)]
  if (folder === otherFolder && number !== undefined && otherNumber !== undefined) return number - otherNumber
  return one < other ? -1 : 1
}

function numberOf(name: string): [folder: string, number: number | undefined] {
  const base = name.slice(name.lastIndexOf('/') + 1)
  return [name.slice(0, -base.length), /^[1-9]\d*$/.test(base) ? Number(base) : undefined]
}

/** Lists a directory and those above it, the innermost first. */
export function listAncestors(directory: string): string[] {
  const parent = path.dirname(directory)
  return parent === directory ? [directory] : [directory, ...listAncestors(parent)]
}

function isDirectory(candidate: string): boolean {
  return statSync(candidate, { throwIfNoEntry: false })?.isDirectory() ?? false
}
