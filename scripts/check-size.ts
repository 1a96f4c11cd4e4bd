/** Packs the built package, installs it as production would, and compares its sizes with limits. Prints the figures; with `--json` as JSON. */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesLoadedWith } from './imports.ts'

/** The upper limit of each figure. */
const limits = {
  tarball_files: 162,
  tarball_bytes: 1_245_000,
  installed_mb: 3.48,
  root_import_bytes: 740_000,
  longest_line: 8_000,
} as const

const BLOCK = 4096

const folder = mkdtempSync(join(tmpdir(), 'goldenrun-size-'))
try {
  const figures = measure(folder)
  if (process.argv.includes('--json')) console.log(JSON.stringify(figures))
  for (const [name, limit] of Object.entries(limits)) {
    const figure = figures[name as keyof typeof limits]
    console[figure > limit ? 'error' : 'log'](`${name}: ${figure}, at most ${limit} allowed`)
    if (figure > limit) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function measure(directory: string): Readonly<Record<keyof typeof limits, number>> {
  // Without scripts, because `prepack` would build `dist` a second time.
  const packed = npm(['pack', '--ignore-scripts', '--json', '--pack-destination', directory], process.cwd())
  const [tarball] = Object.values(JSON.parse(packed) as Record<string, { filename: string; size: number; entryCount: number }>)
  if (tarball === undefined) throw new Error('npm packed nothing.')
  writeFileSync(join(directory, 'package.json'), '{ "private": true }')
  npm(['install', '--omit=dev', '--no-audit', '--no-fund', join(directory, tarball.filename)], directory)
  const bytes = bytesOnDisk(join(directory, 'node_modules'))
  const loaded = [...filesLoadedWith('dist/index.js')].map((file) => readFileSync(file, 'utf8'))
  return {
    tarball_files: tarball.entryCount,
    tarball_bytes: tarball.size,
    installed_mb: Math.round(bytes / 1e4) / 100,
    // The bytes that production compiles before its first line. Unlike a time, they are the same on every machine.
    root_import_bytes: loaded.reduce((sum, { length }) => sum + length, 0),
    // In characters: Node prints the line that throws an uncaught error.
    longest_line: Math.max(...loaded.flatMap((code) => code.split('\n')).map(({ length }) => length)),
  }
}

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32' })
}

/** Counts as `du` does, in blocks, but the same on every file system. A folder counts as one block. */
function bytesOnDisk(directory: string): number {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name)
    return sum + (entry.isDirectory() ? bytesOnDisk(path) : Math.ceil(lstatSync(path).size / BLOCK) * BLOCK)
  }, BLOCK)
}
