import { isAbsolute, relative } from 'node:path'

/**
 * Reads absolute patterns of paths: `*` and `?` stand for characters of one name, `**` for any number of names. `/data/**` is the folder
 * itself, too.
 */
export function matchPaths(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map(toExpression)
  return (path) => expressions.some((expression) => expression.test(path))
}

/** Whether a path is a folder or lies in it. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way))
}

function toExpression(pattern: string): RegExp {
  const source = pattern
    .replaceAll('\\', '/')
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
