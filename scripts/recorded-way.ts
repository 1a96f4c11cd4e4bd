/**
 * The way of one recorded model call through the code, which ARCHITECTURE.md draws: the files that it passes, and the shapes that it takes. Checked against
 * the imports, so that a new layer in between is noticed.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readImports } from './imports.ts'

/** Each further file is a further layer to read, each further shape a further conversion. */
const MOST_FILES = 20
const MOST_SHAPES = 8

/** Files between two files of the way that no call passes, with the reason. */
const beside: Readonly<Record<string, string>> = {
  'src/stores/directory-store.ts': 'opens the log, to which rows go without it',
}

/** The files and shapes that a recorded call passes. */
export interface Way {
  /** In the order in which a call passes them. */
  readonly files: readonly string[]
  readonly shapes: readonly { readonly name: string; readonly file: string }[]
}

/** Returns what is wrong with the way in ARCHITECTURE.md; nothing if it is right. */
export function checkRecordedWay(architecture: string): string[] {
  const way = readRecordedWay(architecture)
  const missing = [...way.files, ...way.shapes.map(({ file }) => file)].filter((file) => !existsSync(file))
  if (missing.length > 0) return missing.map((file) => finding(`names ${file}, which does not exist`))
  return [
    ...(way.files.length < 2 ? [finding('draws no files')] : []),
    ...(way.files.length > MOST_FILES ? [finding(`has ${way.files.length} files; at most ${MOST_FILES} are allowed`)] : []),
    ...(way.shapes.length > MOST_SHAPES ? [finding(`has ${way.shapes.length} shapes; at most ${MOST_SHAPES} are allowed`)] : []),
    ...checkTies(way),
    ...checkBetween(way.files),
    ...checkShapes(way),
  ]
}

/** Reads the way from ARCHITECTURE.md. */
export function readRecordedWay(architecture: string): Way {
  const [, section = ''] = /\n### Recorded\n([\s\S]*?)\n### /.exec(architecture) ?? []
  const files = [...section.matchAll(/[├└]─ ([\w/-]+\.ts)/g)].map(([, file]) => `src/${file}`)
  const shapes = [...section.matchAll(/^\| `(\w+)` \| `([\w/-]+\.ts)` \|/gm)].map(([, name = '', file]) => ({ name, file: `src/${file}` }))
  return { files, shapes }
}

/** Checks that each file of the way imports another one or a file that declares a shape, or is imported by another one. */
function checkTies({ files, shapes }: Way): string[] {
  const known = new Set([...files, ...shapes.map(({ file }) => file)])
  const targets = new Map(files.map((file) => [file, readImports(file).imports.map(({ target }) => target)]))
  return files
    .filter((file) => targets.get(file)?.some((target) => known.has(target)) !== true)
    .filter((file) => !files.some((other) => targets.get(other)?.includes(file) === true))
    .map((file) => finding(`names ${file}, which neither imports another of its files or shapes nor is imported by one`))
}

/** Checks that the way includes every file that one of its files loads and that itself loads another of them. */
function checkBetween(files: readonly string[]): string[] {
  const loaded = (file: string): string[] =>
    readImports(file)
      .imports.filter(({ isFile, isType }) => isFile && !isType)
      .map(({ target }) => target)
  const between = new Set(
    files.flatMap(loaded).filter((file) => !files.includes(file) && loaded(file).some((target) => files.includes(target))),
  )
  return [
    ...[...between].filter((file) => !(file in beside)).map((file) => finding(`leaves out ${file}, which stands between two of its files`)),
    ...Object.keys(beside)
      .filter((file) => !between.has(file))
      .map((file) => `scripts/recorded-way.ts: ${file} does not stand between two files of the way. Remove it.`),
  ]
}

function checkShapes({ files, shapes }: Way): string[] {
  return shapes.flatMap(({ name, file }) => {
    if (!new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(readFileSync(file, 'utf8')))
      return [finding(`lists the shape ${name}, which ${file} does not declare`)]
    const isUsed = files.some((user) => user === file || readImports(user).imports.some(({ target }) => target === file))
    return isUsed ? [] : [finding(`lists the shape ${name}, but no file of the way imports ${file}`)]
  })
}

function finding(what: string): string {
  return `ARCHITECTURE.md: the way of a recorded call ${what}.`
}
