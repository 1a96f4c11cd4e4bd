/**
 * One recorded model call's way through the house, which ARCHITECTURE.md draws: the files that it passes, and the shapes that it takes. Held against
 * the imports, so that a layer in between is seen.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readImports } from './imports.ts'

/** A file more is a layer more to read, a shape more is a conversion more. */
const MOST_FILES = 20
const MOST_SHAPES = 8

/** Files between two files of the way that no call passes, and why. */
const beside: Readonly<Record<string, string>> = {
  'src/stores/directory-store.ts': 'opens the log, to which rows go without it',
}

/** What a recorded call passes. */
export interface Way {
  /** In the order in which a call passes them. */
  readonly files: readonly string[]
  readonly shapes: readonly { readonly name: string; readonly file: string }[]
}

/** What is wrong with the way that ARCHITECTURE.md draws; nothing if it holds. */
export function checkRecordedWay(architecture: string): string[] {
  const way = readRecordedWay(architecture)
  const missing = [...way.files, ...way.shapes.map(({ file }) => file)].filter((file) => !existsSync(file))
  if (missing.length > 0) return missing.map((file) => finding(`names ${file}, which does not exist`))
  return [
    ...(way.files.length < 2 ? [finding('draws no files')] : []),
    ...(way.files.length > MOST_FILES ? [finding(`has ${way.files.length} files, and ${MOST_FILES} are the most`)] : []),
    ...(way.shapes.length > MOST_SHAPES ? [finding(`has ${way.shapes.length} shapes, and ${MOST_SHAPES} are the most`)] : []),
    ...checkTies(way),
    ...checkBetween(way.files),
    ...checkShapes(way),
  ]
}

/** The way that ARCHITECTURE.md draws. */
export function readRecordedWay(architecture: string): Way {
  const [, section = ''] = /\n### Recorded\n([\s\S]*?)\n### /.exec(architecture) ?? []
  const files = [...section.matchAll(/[├└]─ ([\w/-]+\.ts)/g)].map(([, file]) => `src/${file}`)
  const shapes = [...section.matchAll(/^\| `(\w+)` \| `([\w/-]+\.ts)` \|/gm)].map(([, name = '', file]) => ({ name, file: `src/${file}` }))
  return { files, shapes }
}

/** A file of the way imports another or a file that declares a shape, or is imported by another. */
function checkTies({ files, shapes }: Way): string[] {
  const known = new Set([...files, ...shapes.map(({ file }) => file)])
  const targets = new Map(files.map((file) => [file, readImports(file).imports.map(({ target }) => target)]))
  return files
    .filter((file) => targets.get(file)?.some((target) => known.has(target)) !== true)
    .filter((file) => !files.some((other) => targets.get(other)?.includes(file) === true))
    .map((file) => finding(`names ${file}, which neither imports another of its files or shapes nor is imported by one`))
}

/** A file that one file of the way loads, and that itself loads another, is on the way as well. */
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
    return isUsed ? [] : [finding(`lists the shape ${name}, and no file of the way imports ${file}`)]
  })
}

function finding(what: string): string {
  return `ARCHITECTURE.md: the way of a recorded call ${what}.`
}
