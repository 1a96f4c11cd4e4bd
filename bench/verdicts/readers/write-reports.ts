/**
 * Writes the reports of 120 changed agents for readers who get nothing else: `node bench/verdicts/readers/write-reports.ts --folder <folder>
 * [--seed <number>]`. Writes `reports/001.txt` and so on, the question, and `key.json` beside them, which readers do not get. Prints the seed.
 */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { bringRowCheckUpToDate } from '../../../scripts/write-row-check.ts'
import { useSource } from '../../use-source.ts'
import { KINDS, type Keyed, PER_KIND } from './kinds.ts'

bringRowCheckUpToDate()
useSource()
const { drawReds } = await import('./draw-reds.ts')

const { values } = parseArgs({ options: { folder: { type: 'string' }, seed: { type: 'string' } } })
const folder = values.folder
if (folder === undefined) throw new Error('Name a folder for the reports: --folder <folder>.')
const seed = Number(values.seed ?? Date.now())
console.log(`Seed ${seed}.`)

const work = await mkdtemp(path.join(tmpdir(), 'goldenrun-readers-'))
const keys: Keyed[] = []
try {
  mkdirSync(path.join(folder, 'reports'), { recursive: true })
  cpSync(path.join(import.meta.dirname, 'question.md'), path.join(folder, 'question.md'))
  for (const { report, ...key } of await drawReds({ seed, perKind: PER_KIND, folder: work, note: (line) => console.log(line) })) {
    const name = String(keys.length + 1).padStart(3, '0')
    writeFileSync(path.join(folder, 'reports', `${name}.txt`), report)
    keys.push({ report: name, ...key })
  }
} finally {
  await rm(work, { recursive: true, force: true })
}
writeFileSync(path.join(folder, 'key.json'), `${JSON.stringify({ seed, keys }, undefined, 2)}\n`)
for (const kind of new Set(Object.values(KINDS))) console.log(`${kind}: ${keys.filter((key) => key.kind === kind).length}`)
// Clients that the agents left open would keep the process alive.
process.exit()
