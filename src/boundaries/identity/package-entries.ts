import { readFileSync } from 'node:fs'
import path from 'node:path'

const known = new Map<string, readonly string[]>()

/**
 * The entry files of a package, under any condition: `['dist-node/index.js', 'dist/index.js']`.
 *
 * @param root The package's directory.
 */
export function readPackageEntries(root: string): readonly string[] {
  const entries = known.get(root) ?? findEntries(readFileSync(path.join(root, 'package.json'), 'utf8'))
  known.set(root, entries)
  return entries
}

function findEntries(packageJson: string): string[] {
  const { exports, main, module } = JSON.parse(packageJson) as Readonly<Record<'exports' | 'main' | 'module', unknown>>
  const own = typeof exports === 'object' && exports !== null && '.' in exports ? exports['.'] : exports
  const entries = [own, main, module].flatMap(leavesOf).map((entry) => entry.replace(/^\.\//, ''))
  // Node's own defaults.
  return entries.length === 0
    ? ['index.js']
    : entries.flatMap((entry) => (path.extname(entry) === '' ? [`${entry}.js`, path.posix.join(entry, 'index.js')] : [entry]))
}

/** The texts in nested conditions. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}
