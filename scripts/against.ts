/**
 * Compares this build with the build of an earlier commit, in alternating pairs of processes: `node scripts/against.ts <commit> [--pairs 6]`, after
 * `npm run build`. Installs and builds the commit in a temporary directory. Prints a table of medians, with the lowest and the highest value.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { table } from '../test/conformance/table.ts'

const workloads = {
  record: 'recording a call, µs of the agent’s thread, with the call itself',
  replay: 'replaying a step, µs of CPU',
  import: 'importing goldenrun and goldenrun/replay, ms of CPU',
} as const

type Workload = keyof typeof workloads

const { values, positionals } = parseArgs({ allowPositionals: true, options: { pairs: { type: 'string', default: '6' } } })
const [commit] = positionals
if (commit === undefined) throw new Error('Usage: node scripts/against.ts <commit> [--pairs 6]')

const directory = mkdtempSync(path.join(tmpdir(), 'goldenrun-against-'))
const earlier = path.join(directory, 'earlier')
try {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', earlier, commit], { stdio: 'inherit' })
  for (const args of [
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    // Older commits committed these files.
    ['run', '--silent', '--if-present', 'dependencies'],
    ['run', '--silent', 'build'],
  ])
    execFileSync('npm', args, { cwd: earlier, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' })
  const rows = Object.entries(workloads).map(([workload, title]) => compare(workload as Workload, title))
  console.log(table(['', commit, 'here', 'ratio'], rows))
} finally {
  execFileSync('git', ['worktree', 'remove', '--force', earlier])
  rmSync(directory, { recursive: true, force: true })
}

function compare(workload: Workload, title: string): string[] {
  const [before, now]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < Number(values.pairs); pair += 1) {
    const takeBefore = (): unknown => before.push(measure(path.join(earlier, 'dist'), workload))
    const takeNow = (): unknown => now.push(measure(path.resolve('dist'), workload))
    for (const take of pair % 2 === 0 ? [takeBefore, takeNow] : [takeNow, takeBefore]) take()
  }
  return [title, describe(before), describe(now), (median(now) / median(before)).toFixed(2)]
}

function measure(dist: string, workload: Workload): number {
  const cwd = mkdtempSync(path.join(directory, 'run-'))
  const program = path.resolve('scripts/against/workload.ts')
  return Number(execFileSync(process.execPath, [program, dist, workload], { cwd, encoding: 'utf8' }))
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

function describe(figures: readonly number[]): string {
  return `${median(figures).toFixed(1)} (${Math.min(...figures).toFixed(1)} to ${Math.max(...figures).toFixed(1)})`
}
