import { isAbsolute, join, relative } from 'node:path'

/** An absolute pattern of paths: `*` and `?` match characters of one name, `**` any number of names. `/data/**` includes `/data`. */
export interface PathPattern {
  /** The names before the first one with a wildcard: `/data`. */
  readonly beginning: string
  matches(path: string): boolean
  /** Returns whether a folder may contain matching paths. */
  mayLieIn(folder: string): boolean
}

/** Reads a pattern. */
export function toPathPattern(pattern: string): PathPattern {
  const names = pattern.replaceAll('\\', '/').split('/')
  const own = toExpression(names.join('/'))
  const above = names.slice(1).map((_name, index) => toExpression(names.slice(0, index + 1).join('/') || '/'))
  const first = names.findIndex((name) => /[*?]/.test(name))
  return {
    beginning: join(names.slice(0, first === -1 ? undefined : first).join('/'), '/').replace(/(?<=.)[\\/]$/, ''),
    matches: (path) => own.test(path),
    mayLieIn: (folder) => above.some((expression) => expression.test(folder)),
  }
}

/** Returns a pattern for a path and everything below it. */
export function patternOf(path: string): PathPattern {
  return {
    beginning: path,
    matches: (tried) => isWithin(path, tried),
    mayLieIn: (folder) => folder !== path && isWithin(folder, path),
  }
}

/** Returns whether a path is a folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way))
}

function toExpression(pattern: string): RegExp {
  const source = pattern
    .split(/(\/\*\*(?=\/|$)|\*\*|\*|\?)/)
    .map((part) => meanings[part] ?? part.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('/', String.raw`[\\/]`))
    .join('')
  return new RegExp(`^${source}$`, process.platform === 'win32' ? 'i' : '')
}

const meanings: Readonly<Record<string, string>> = {
  '/**': String.raw`(?:[\\/].*)?`,
  '**': '.*',
  '*': String.raw`[^\\/]*`,
  '?': String.raw`[^\\/]`,
}
