/**
 * Ships a million synthetic runs to a bucket, finds some of them in every way, and removes them all by retention: `npm run test:full -- fleet`, or
 * with `--runs 20000 --seed a`. First does the same with a tenth. Fails if a run is lost or not found, or takes more requests or
 * bytes among all runs than among a tenth.
 */
import { parseArgs } from 'node:util'
import { useSource } from '../bench/use-source.ts'
import { createRandom } from '../test/support/random.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1000000' }, seed: { type: 'string', default: String(Date.now()) } },
})
console.log(`seed ${values.seed}`)
useSource()
const { compareLives, describeLife } = await import('../test/fleet/world/compare-lives.ts')
const { liveTwice } = await import('../test/fleet/world/fleet-life.ts')
const [few, many] = await liveTwice(Number(values.runs), createRandom(values.seed), console.log)
for (const life of [few, many]) for (const line of describeLife(life)) console.log(line)
const faults = [...few.faults, ...many.faults, ...compareLives(few, many)]
for (const fault of faults) console.error(fault)
console.log(`${many.runs} runs, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
