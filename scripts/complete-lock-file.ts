/**
 * Adds the optional platform packages that npm left out to package-lock.json and to the lock files of the projects in test/projects, and strips
 * registry addresses.
 *
 * npm writes an optional package into the lock file only if it could read its metadata while installing, yet `npm ci` asks for all of
 * them: after an install behind a registry that lacks some platforms, `npm ci` fails with "Missing: … from lock file" everywhere.
 * Run it after `npm install` (`npm run lock-file`); with `--check` it only prints what is missing.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'

interface LockedPackage {
  version?: string
  resolved?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

interface LockFile {
  packages: Record<string, LockedPackage>
}

const isCheck = process.argv.includes('--check')
const paths = ['package-lock.json', ...globSync('test/projects/*/package-lock.json')]
const problems = paths.flatMap((path) => complete(path).map((change) => `${path}: ${change}`))
if (isCheck && problems.length > 0) {
  for (const problem of problems) console.error(problem)
  console.error('Run: npm run lock-file')
  process.exitCode = 1
}

/** Returns the changes that a lock file needs, and makes them unless it is only checked. */
function complete(path: string): string[] {
  const lock = JSON.parse(readFileSync(path, 'utf8')) as LockFile
  const changes = [...completePackages(lock.packages), ...stripAddresses(lock.packages)]
  if (!isCheck && changes.length > 0) {
    lock.packages = sortByPath(lock.packages)
    writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  }
  return changes
}

function completePackages(packages: LockFile['packages']): string[] {
  const findings: string[] = []
  for (const [parent, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const found = resolvePackage(packages, parent, name)
      // Only npm can resolve a range that is not one exact version; platform packages are always pinned.
      if (found !== undefined && (found.version === range || !isExact(range))) continue
      findings.push(`${name}@${range}, an optional dependency of ${parent}, is missing`)
      const place = found === undefined ? `node_modules/${name}` : `${parent}/node_modules/${name}`
      if (isExact(range)) packages[place] = lockedPlatformPackage(name, range, dev)
    }
  }
  return findings
}

/** Resolves a package as Node does, over the paths of the lock file: the nearest `node_modules` folder wins. */
function resolvePackage(packages: LockFile['packages'], from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const found = packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`]
    if (found !== undefined || folder === '') return found
  }
}

function parentOf(folder: string): string {
  const end = folder.lastIndexOf('/node_modules/')
  return end === -1 ? '' : folder.slice(0, end)
}

function stripAddresses(packages: LockFile['packages']): string[] {
  const findings: string[] = []
  for (const [place, locked] of Object.entries(packages)) {
    // A workspace is locked to its folder.
    if (locked.resolved === undefined || !locked.resolved.includes('://')) continue
    findings.push(`${place} names a registry (${locked.resolved})`)
    delete locked.resolved
  }
  return findings
}

/** Derives the platform of a package from its name: napi-rs and Go publishers all use `<package>-<os>-<cpu>[-<libc>]`. */
function lockedPlatformPackage(name: string, version: string, dev = false): LockedPackage {
  const parts = name.split(/[/-]/)
  const cpu = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'].find((word) => parts.includes(word))
  const libc = parts.includes('musl') ? 'musl' : parts.includes('gnu') ? 'glibc' : undefined
  const os = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'].find((word) => parts.includes(word))
  return {
    version,
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(dev ? { dev } : {}),
    ...(libc === undefined ? {} : { libc: [libc] }),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
  }
}

function isExact(range: string): boolean {
  return /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)
}

function sortByPath(packages: LockFile['packages']): LockFile['packages'] {
  return Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
