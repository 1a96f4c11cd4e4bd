import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { listAncestors } from '../../../stores/golden-directory.ts'

/** An installed package. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
}

const MODULES = '/node_modules/'

/** Returns the packages that files belong to. */
export function packagesOf(files: Iterable<string>): InstalledPackage[] {
  const folders = new Map<string, string>()
  for (const file of files) {
    const slashed = file.replaceAll(path.sep, '/')
    const at = slashed.lastIndexOf(MODULES)
    if (at === -1) continue
    const [first = '', second = ''] = slashed.slice(at + MODULES.length).split('/')
    const name = first.startsWith('@') ? `${first}/${second}` : first
    if (!name.startsWith('.')) folders.set(slashed.slice(0, at + MODULES.length) + name, name)
  }
  return [...folders].flatMap(([folder, name]) => {
    const version = versionIn(folder)
    return version === undefined ? [] : [{ name, version }]
  })
}

/**
 * Returns the versions of a package that are installed for a directory: in its `node_modules` and those above it. If the first that is found is
 * not the wanted one, those below other packages count as well.
 */
export function installedVersions(directory: string, name: string, wanted: string): string[] {
  const roots = listAncestors(directory).map((ancestor) => path.join(ancestor, 'node_modules'))
  const nearest = roots.flatMap((root) => versionIn(path.join(root, name)) ?? []).slice(0, 1)
  if (nearest.includes(wanted)) return nearest
  return [...new Set([...nearest, ...roots.flatMap((root) => versionsBelow(root, name))])].toSorted()
}

/** Of npm, below the package that needs another version; of pnpm, in a folder whose name has the version. */
function versionsBelow(root: string, name: string): string[] {
  const ofPnpm = namesIn(path.join(root, '.pnpm'))
    .filter((entry) => entry.startsWith(`${name.replace('/', '+')}@`))
    .map((entry) => path.join(root, '.pnpm', entry, 'node_modules', name))
  const ofNpm = namesIn(root)
    .flatMap((entry) => (entry.startsWith('@') ? namesIn(path.join(root, entry)).map((each) => `${entry}/${each}`) : [entry]))
    .map((entry) => path.join(root, entry, 'node_modules', name))
  const versions = ofPnpm.flatMap((folder) => versionIn(folder) ?? [])
  return [...versions.filter(isUsedByPnpm(root, name)), ...ofNpm.flatMap((folder) => versionIn(folder) ?? [])]
}

/** pnpm keeps folders of packages that nothing uses for a week. Its own lock file lists what is used. */
function isUsedByPnpm(root: string, name: string): (version: string) => boolean {
  const lock = textOf(path.join(root, '.pnpm', 'lock.yaml'))
  return (version) => lock === undefined || lock.includes(`${name}@${version}`)
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function versionIn(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { readonly version?: unknown }
    return typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
