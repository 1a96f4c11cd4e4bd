/**
 * Holds this build against the pinned reference, the commit in `bench/reference.json`, and fails if a workload allocates more or takes more CPU time than
 * that allows: `npm run fence [-- --long] [--only <workload,…>] [--package <folder>] [--move <reason>]`.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bringRowCheckUpToDate } from '../../scripts/write-row-check.ts'
import { buildPackage } from '../../test/support/build-package.ts'
import { buildReference } from './build-reference.ts'
import { openFence } from './hold.ts'
import { type Judged, toRows } from './judge.ts'
import { moveReference, readReference, type Reference } from './reference.ts'
import { WORKLOADS } from './take-samples.ts'

const { values } = parseArgs({
  options: {
    /** Forty pairs, and lower limits of CPU time. */
    long: { type: 'boolean', default: false },
    /** Workloads, separated by commas. Default: all. */
    only: { type: 'string' },
    /** Measures the built package in this folder. Default: builds this tree. */
    package: { type: 'string' },
    /** Makes HEAD the reference, for the reason that is given. */
    move: { type: 'string' },
  },
})
const repository = fileURLToPath(new URL('../../', import.meta.url))
const chosen = values.only?.split(',') ?? WORKLOADS
const unknown = chosen.filter((workload) => !WORKLOADS.includes(workload))
if (unknown.length > 0) throw new Error(`There is no workload ${unknown.join(', ')}. There are: ${WORKLOADS.join(', ')}.`)
if (values.move !== undefined) checkMove()

const reference = await readReference()
const judged = await holdAgainst(reference)
console.log(align(toRows(judged)))
const red = judged.filter(({ isRed }) => isRed)
if (red.length > 0) {
  console.error(
    `\nSlower than the reference ${reference.commit.slice(0, 8)} allows: ${red.map(({ workload, figure }) => `${workload} (${figure})`).join(', ')}.\n` +
      'CONTRIBUTING.md says what to do: "When the fence is red".',
  )
  process.exitCode = 1
}
if (values.move !== undefined) await move(values.move)

async function holdAgainst(against: Reference): Promise<Judged[]> {
  console.error(`Building the reference ${against.commit.slice(0, 8)}, once, and this tree.`)
  bringRowCheckUpToDate()
  const built = buildReference(against.commit, { repository, keptIn: path.join(repository, '.fence') })
  const own = values.package === undefined ? await buildPackage() : path.resolve(values.package)
  await using fence = await openFence({ reference: built, here: own })
  const note = (workload: string): void => console.error(`Measuring ${workload}.`)
  return await fence.hold({ workloads: chosen, length: values.long ? 'long' : 'short', allowed: against.allowed, note })
}

/** The new reference has to be a commit, and measured in everything. */
function checkMove(): void {
  if (values.only !== undefined || values.package !== undefined)
    throw new Error('--move needs every workload of this tree: leave out --only and --package.')
  if (git(['status', '--porcelain']) !== '') throw new Error('--move makes HEAD the reference: commit or stash your changes first.')
}

async function move(reason: string): Promise<void> {
  const ratios: Record<string, Record<string, number>> = {}
  for (const { workload, figure, ratio } of judged) (ratios[workload] ??= {})[figure] = Number(ratio.toFixed(3))
  await moveReference(reference, { commit: git(['rev-parse', 'HEAD']), date: new Date().toISOString().slice(0, 10), reason, ratios })
  console.error('Wrote bench/reference.json. Commit it alone.')
}

function git(args: readonly string[]): string {
  return execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
}

/** The first two columns are words, the others numbers. */
function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number): string => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
