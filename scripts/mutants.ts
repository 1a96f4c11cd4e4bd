/**
 * Measures how well the tests cover the sources: draws places in `src`, changes each in a copy of the repository, and looks for a test file of `npm test`
 * that fails: `node scripts/mutants.ts`, or `node scripts/mutants.ts --seed a --count 20 --only src/redaction`. All places are equally likely.
 * Prints the mutants that no test kills; with `--json`, everything. `--resume <file>` stores the state in a file, and continues from it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Copy } from './mutants/copy.ts'
import { drawMutants } from './mutants/draw-mutants.ts'
import { judgeMutants, type State } from './mutants/judge-mutants.ts'

/** In seconds: longer than all test files take when each runs in its own process. */
const LONGEST = 1800

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now()) },
    count: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    resume: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const { seed, resume } = values
const start = performance.now()
const drawn = drawMutants(Number(values.count), seed, new RegExp(values.only))
const state = resume !== undefined && existsSync(resume) ? readState(resume) : { seed, mutants: drawn.mutants, near: {}, all: {} }
if (JSON.stringify(state.mutants) !== JSON.stringify(drawn.mutants)) throw new Error(`${resume} belongs to different mutants or sources.`)
const save = (): void => {
  if (resume !== undefined) writeFileSync(resume, JSON.stringify(state))
}
// On exit it removes its copies.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
{
  using one = new Copy(drawn)
  using other = new Copy(drawn)
  say(`seed ${seed}, ${drawn.mutants.length} mutants of ${drawn.places.size} files`)
  state.files ??= await readReached(one)
  save()
  await judgeMutants(state, [one, other], () => {
    save()
    say(`${Object.keys(state.near).length} tried alone, ${Object.keys(state.all).length} together`)
  })
}

const results = state.mutants.map((mutant) => ({ ...mutant, killedBy: state.near[mutant.number] ?? state.all[mutant.number] ?? null }))
const survivors = results.filter(({ killedBy }) => killedBy === null)
if (values.json) console.log(JSON.stringify({ seed, results }, undefined, 2))
else
  for (const { number, file, line, change, before, after } of survivors) {
    console.log(`${number} ${file}:${line} ${change}\n  - ${before}\n  + ${after}`)
  }
say(`${results.length - survivors.length} killed, ${survivors.length} survived, in ${((performance.now() - start) / 1000).toFixed(0)} s`)

function readState(file: string): State {
  return JSON.parse(readFileSync(file, 'utf8')) as State
}

/** Runs every test file with no active mutant. */
async function readReached(copy: Copy): Promise<NonNullable<State['files']>> {
  const log = path.join(copy.folder, 'reached.log')
  const args = ['--config=vitest.mutants.config.ts']
  const { failed, seconds } = await copy.test({ files: [], args, env: { GOLDENRUN_REACHED: log }, timeLimit: LONGEST })
  if (failed.length > 0) say(`not used, as they fail in a copy with no mutant active: ${failed.join(', ')}`)
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const all = lines.map((line) => JSON.parse(line) as { file: string; reached: number[] })
  return Object.fromEntries(
    all.flatMap(({ file, reached }) => (failed.includes(file) ? [] : [[file, { reached, seconds: seconds[file] ?? 0 }]])),
  )
}

/** Prints to stderr, because stdout has the results. */
function say(text: string): void {
  console.error(text)
}
