import { isUtf8 } from 'node:buffer'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { loadedFiles } from '../../node/loaded-files.ts'
import { createRedactor } from '../../redaction/redactor.ts'
import { isInWorkspace, repositoryOf } from '../../stores/workspace.ts'
import type { WatchedFiles } from './watch-files.ts'
import { acceptedFile, placeFrom } from '../../replay/traces/accepted/accepted-file.ts'
import type { AcceptedRow } from '../../replay/traces/accepted/accepted-rows.ts'
import { digestOf, digestOfFile, digestOfFolder } from '../../replay/traces/accepted/digest-of-file.ts'
import { installedVersions, packagesOf } from '../../replay/traces/accepted/installed-packages.ts'
import { patchFiles } from '../../replay/traces/accepted/patch-files.ts'

/** What a process has replayed, and where. */
export interface ReplayedProject {
  /** The directory of the goldens. */
  readonly directory: string
  readonly agent: string
  /** The files of the agent's goldens. */
  readonly goldens: readonly string[]
  readonly files: WatchedFiles
}

/** Returns what the runs that this process has replayed were made of. */
export function describeProject({ directory, agent, goldens, files }: ReplayedProject): AcceptedRow[] {
  const project = path.dirname(directory)
  const place = (file: string): string => placeFrom(directory, file)
  const own = new Set([...goldens, acceptedFile(directory, agent)])
  const read = [...files.read].filter((file) => isOfProject(file, directory) && !own.has(file) && !files.written.has(file))
  const there = read.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  const ignored = ignoredByGit(project, there)
  const listed = [...files.listed].filter((folder) => isOfProject(folder, directory))
  return [
    ...goldens.flatMap((file) => rowOf('golden', place(file), digestOfFile(file))),
    ...there.flatMap((file) => (isCode(file) ? codeRow(place(file), file, ignored) : textRow(place(file), file, ignored))),
    ...read.filter((file) => !existsSync(file)).flatMap((file) => rowOf('missing', place(file), '-')),
    ...listed.flatMap((folder) => rowOf('folder', place(folder), digestOfFolder(folder))),
    ...patchFiles(project).flatMap((file) => rowOf('patch', place(file), digestOfFile(file))),
    ...packagesOf(loadedFiles())
      .filter(({ name, version }) => installedVersions(project, name, version).includes(version))
      .map(({ name, version }): AcceptedRow => ({ kind: 'package', name, value: version })),
    ...rowOf('node', 'node', process.versions.node),
  ]
}

function rowOf(kind: AcceptedRow['kind'], name: string, value: string | undefined): AcceptedRow[] {
  return value === undefined ? [] : [{ kind, name, value }]
}

/** Whether a path is one of the project's own, rather than of a package, a golden, a recording or git. */
function isOfProject(file: string, directory: string): boolean {
  const parts = path.relative(path.dirname(directory), file).split(path.sep)
  if (parts.some((part) => part === 'node_modules' || part === '.goldenrun' || part === '.git' || part === 'golden-traces')) return false
  // It says what is installed, which has rows of its own. Loaders look for it in every folder.
  return path.basename(file) !== 'package.json' && isInWorkspace(path.dirname(directory), file)
}

function isCode(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file)
}

/** What configures goldenrun, and how its loader finds and compiles modules. */
function isConfig(file: string): boolean {
  return /^(?:goldenrun\.config\..*|tsconfig.*\.json)$/.test(path.basename(file))
}

/** Larger files are data rather than prompts. Bytes. */
const LARGEST = 1_000_000

function codeRow(name: string, file: string, ignored: Ignored): AcceptedRow[] {
  // What is not in git may have what must not be there, such as a key.
  if (ignored.has(file) && mayHaveSecret(readFileSync(file))) return rowOf('not-compared', name, 'redacted')
  return rowOf(isConfig(file) ? 'config' : 'module', name, digestOfFile(file))
}

function textRow(name: string, file: string, ignored: Ignored): AcceptedRow[] {
  const leftOut = (reason: string): AcceptedRow[] => rowOf('not-compared', name, reason)
  if (isConfig(file)) return rowOf('config', name, digestOfFile(file))
  if (path.basename(file).startsWith('.env')) return leftOut('environment')
  if (ignored.has(file)) return leftOut('ignored')
  const bytes = readFileSync(file)
  if (bytes.length > LARGEST) return leftOut('large')
  if (!isUtf8(bytes) || bytes.includes(0)) return leftOut('binary')
  return mayHaveSecret(bytes) ? leftOut('redacted') : rowOf('text', name, digestOf(bytes))
}

/** A short text, in bytes. */
const SHORT = 200

/** A single short word may be a password or a key of an unknown form, and its digest could be guessed. */
function mayHaveSecret(bytes: Buffer): boolean {
  const text = bytes.toString()
  return (bytes.length < SHORT && isSingleWord(text)) || createRedactor().text(text) !== text
}

/** Whether a text is one word, as a key is. Japanese, Chinese and Thai put no spaces between words. */
function isSingleWord(text: string): boolean {
  if (/\S\s+\S/.test(text)) return false
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)].filter(({ isWordLike }) => isWordLike === true)
  return words.filter(({ segment }) => !/[\p{Script=Latin}\d]/u.test(segment)).length < 2
}

type Ignored = Pick<ReadonlySet<string>, 'has'>

/** Returns which files git ignores: none outside of a repository, and all where git does not answer. */
function ignoredByGit(folder: string, files: readonly string[]): Ignored {
  if (files.length === 0 || repositoryOf(folder) === undefined) return new Set()
  const args = ['-c', 'safe.directory=*', 'check-ignore', '-z', '--stdin']
  const { status, stdout } = spawnSync('git', args, { cwd: folder, input: files.join('\0'), stdio: ['pipe', 'pipe', 'ignore'] })
  // Source: git-check-ignore(1), exit status: 1 if none is ignored.
  if (status !== 0 && status !== 1) return { has: () => true }
  return new Set(stdout.toString().split('\0'))
}
