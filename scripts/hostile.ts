/**
 * Mutates goldens and recordings by a seed and replays the mutants with the API, the command, Vitest and Jest: each has to come to a verdict or to an
 * error that names what is wrong, within 5 seconds of CPU time and 500 MB. `--count` is the number of mutants, `--only` one of api, command, vitest and
 * jest.
 */
import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createHostileProject, type HostileProject } from '../test/hostile/hostile-project.ts'
import { mutant, type Original } from '../test/hostile/mutate.ts'
import { MutantReplays, placeOf } from '../test/hostile/mutant-replays.ts'
import { MutantsTogether, runners } from '../test/hostile/mutants-together.ts'
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
renameSync(path.join(project.path, 'golden-traces'), path.join(project.path, 'kept'))
for (const setting of ['command', 'vitest', 'jest'] as const) if (wanted(setting)) await byRunner(setting)
if (values.keep !== true) project[Symbol.dispose]()
else console.log(project.path)
console.log(faults.length === 0 ? 'Each came to a verdict or a named error.' : `${faults.length} came to something else.`)
process.exitCode = faults.length === 0 ? 0 : 1

async function byRunner(setting: keyof typeof runners): Promise<void> {
  const goldens = project.originals.filter(({ extension }) => extension === 'jsonl')
  const together = new MutantsTogether(project, runners[setting])
  await together.measureStart(goldens.find(({ name }) => name === 'tools')?.bytes ?? Buffer.of())
  for (let start = 0; start < count; start += runners[setting].together) {
    const indices = Array.from({ length: Math.min(runners[setting].together, count - start) }, (_, index) => start + index)
    const mutants = new Map(indices.map((index) => [`m${index}`, mutantAt(goldens, index)]))
    const bytes = new Map([...mutants].map(([name, each]) => [name, each.bytes]))
    for (const { name, text } of await together.replay(bytes)) {
      fault(setting, Number(name.slice(1)), `${mutants.get(name)?.name}.jsonl`, text)
    }
    console.log(`${setting}: ${start + indices.length} ${JSON.stringify(together.counts)}, at most ${Math.round(together.megabytes)} MB`)
  }
  // A runner that cannot load the agents would say so of every golden.
  const { verdict, named } = together.counts
  if (count >= 50 && (verdict === 0 || named === 0)) throw new Error(`Of ${count} mutants, none came to a verdict, or none to an error.`)
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
  console.log(`api: ${JSON.stringify(counts)}, at most ${Math.round(replays.megabytes)} MB, ${replays.seconds.toFixed(1)} s`)
}
