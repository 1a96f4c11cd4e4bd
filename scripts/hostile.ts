/**
 * Mutates goldens and recordings by a seed and replays the mutants with the API, the command, Vitest and Jest: each has to come to a verdict or to an
 * error that names what is wrong. `--count` is the number of mutants, `--only` one of api, command, vitest and jest.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createHostileProject, type HostileProject } from '../test/hostile/hostile-project.ts'
import { mutant, type Original } from '../test/hostile/mutate.ts'
import { MutantReplays, placeOf } from '../test/hostile/mutant-replays.ts'
import { createRandom } from '../test/support/random.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20000' }, only: { type: 'string' }, keep: { type: 'boolean' } },
})
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
const count = Number(values.count)
console.log(`${count} mutants of 20 goldens and recordings (GOLDENRUN_SEED=${seed})`)

/** Each mutant has a seed of its own, so that it can be made alone. */
const mutantAt = (originals: readonly Original[], index: number): Original => mutant(originals, createRandom(`${seed} ${index}`))

const project = await createHostileProject()
const faults: string[] = []
const fault = (setting: string, index: number, original: string, text: string): void => {
  faults.push(`${setting} ${index} (${original}): ${text}`)
  console.log(`${setting}: mutant ${index} of ${original}: ${text.slice(0, 1500)}`)
  if (faults.length >= 50) throw new Error('Fifty mutants came to something else: the rest is not tried.')
}
const wanted = (setting: string): boolean => values.only === undefined || values.only === setting

if (wanted('api')) await byApi(project)
if (wanted('command'))
  byRunner('command', 250, count, (names) => [
    'goldenrun/dist/cli.js',
    'replay',
    '--json',
    ...names.map((name) => `golden-traces/${name}.jsonl`),
  ])
if (wanted('vitest')) byRunner('vitest', 100, count / 10, () => ['vitest/vitest.mjs', 'run'])
if (wanted('jest')) byRunner('jest', 100, count / 10, () => ['jest/bin/jest.js', '--runInBand'])
if (values.keep !== true) project[Symbol.dispose]()
else console.log(project.path)
console.log(faults.length === 0 ? 'Each came to a verdict or a named error.' : `${faults.length} came to something else.`)
process.exitCode = faults.length === 0 ? 0 : 1

/** Replays mutants of goldens by a command, so many at a time: each has to be named in its output, and the command has to end as it does with goldens. */
function byRunner(setting: string, together: number, most: number, command: (names: readonly string[]) => readonly string[]): void {
  const goldens = project.originals.filter(({ extension }) => extension === 'jsonl')
  const [folder, kept] = [path.join(project.path, 'golden-traces'), path.join(project.path, 'kept')]
  if (!existsSync(kept)) renameSync(folder, kept)
  for (let start = 0; start < most; start += together) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    const names = Array.from({ length: Math.min(together, most - start) }, (_, index) => `m${start + index}`)
    for (const [index, name] of names.entries()) {
      writeFileSync(path.join(folder, `${name}.jsonl`), mutantAt(goldens, start + index).bytes)
    }
    const [program = '', ...args] = command(names)
    const { status, signal, stdout, stderr } = project.run(program, args)
    const output = `${stdout}${stderr}`
    const missing = names.filter((name) => !output.includes(`${name}.jsonl`))
    const isRaw = /Unhandled (?:Error|Rejection)|heap out of memory|^TypeError|^RangeError/m.test(output)
    if (signal !== null || ![0, 1, 2].includes(status ?? -1) || missing.length > 0 || isRaw) {
      fault(
        setting,
        start,
        `${names.length} goldens`,
        `${status} ${signal}, not named: ${missing.slice(0, 5).join(' ')}\n${output.slice(-1500)}`,
      )
    }
    console.log(`${setting}: ${start + names.length}`)
  }
}

async function byApi({ path: place, originals }: HostileProject): Promise<void> {
  const replays = new MutantReplays(place)
  const counts: Record<string, number> = {}
  for (let index = 0; index < count; index += 1) {
    const { name, extension, bytes } = mutantAt(originals, index)
    const file = placeOf(place, 0, extension)
    writeFileSync(file, bytes)
    const { kind, text } = await replays.replay(file)
    counts[kind] = (counts[kind] ?? 0) + 1
    if (kind !== 'verdict' && kind !== 'named') fault('api', index, `${name}.${extension}`, `${kind}: ${text}`)
    if (index % 1000 === 999) console.log(`api: ${index + 1}`, JSON.stringify(counts))
  }
  replays.end()
  console.log('api:', JSON.stringify(counts))
}
