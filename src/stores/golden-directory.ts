import { type Dirent, readdirSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { displayPath } from '../node/display-path.ts'
import { GoldenExistsError } from './errors/golden-exists-error.ts'
import { checkGoldenName } from './golden-name.ts'
import { readTraceFile } from './read-trace-file.ts'
import type { StoredTrace } from './trace-store.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

/** The golden traces of a project: a directory with a file for each, in folders or not. The name of a golden is the path of its file there. */
export interface GoldenDirectory {
  /** An absolute path; the directory need not exist. */
  readonly directory: string
  /** The names of its goldens in alphabetical order. */
  list(): Promise<string[]>
  /** The same, for those who cannot wait. */
  listNow(): string[]
  /** The names that a golden may be meant by: the name itself, else those in whose folder it stands (`refund-twice` is `support/refund-twice`). */
  find(name: string): Promise<string[]>
  /**
   * Where the golden of that name lies, or would.
   *
   * @throws GoldenNameError for a name that cannot be a file's.
   */
  fileOf(name: string): string
  /** A golden by its whole name, or undefined when there is none. */
  read(name: string): Promise<StoredTrace | undefined>
  /**
   * Writes a golden: after this the whole file is there, or nothing has changed. Makes the folders it needs.
   *
   * @throws GoldenExistsError when the name is taken, unless `force` is set (default: not).
   */
  write(name: string, text: string, options?: { readonly force?: boolean }): Promise<void>
}

const EXTENSION = '.jsonl'
const everyFile = { recursive: true, withFileTypes: true } as const

/** Gives access to the goldens in a directory; by default the project's. */
export function createGoldenDirectory(directory: string = findGoldenDirectory()): GoldenDirectory {
  const root = path.resolve(directory)
  const list = async (): Promise<string[]> => {
    const entries = await readdir(root, everyFile).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return namesOf(entries, root)
  }
  const fileOf = (name: string): string => {
    checkGoldenName(name)
    return path.join(root, `${name}${EXTENSION}`)
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
    read: (name) => readTraceFile(fileOf(name)),
    async write(name, text, options = {}) {
      const file = fileOf(name)
      const written = await writeFileAtomically(file, text, options)
      if (!written) throw new GoldenExistsError(name, displayPath(file))
    },
  }
}

/** Whether a file, or a module by its id, is a golden trace as such, and not its text (`?raw`). */
export function isGolden(id: string): boolean {
  return /(?:^|[\\/])golden-traces[\\/](?:.*[\\/])?[^\\/?]+\.jsonl$/.test(id)
}

/**
 * Says from where else than the working directory a project's goldens are looked for: a test runner, which may run the tests of several projects
 * from one directory, says where the test file lies. Of the two it is the inner one that goldens are looked for from first.
 *
 * @param origin Asked each time; undefined where there is none.
 */
export function lookForGoldensFrom(origin: () => string | undefined): void {
  findOrigin = origin
}

let findOrigin: () => string | undefined = () => undefined

/**
 * The nearest `golden-traces` upwards from a directory; where there is none, the one that the nearest `package.json` would have beside it.
 *
 * @param from Default: the working directory, and where a test runner says.
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
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(EXTENSION))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).slice(0, -EXTENSION.length).replaceAll(path.sep, '/'))
    .filter((name) => !/(^|\/)\./.test(name))
    .toSorted()
}

function listAncestors(directory: string): string[] {
  const parent = path.dirname(directory)
  return parent === directory ? [directory] : [directory, ...listAncestors(parent)]
}

function isDirectory(candidate: string): boolean {
  return statSync(candidate, { throwIfNoEntry: false })?.isDirectory() ?? false
}
