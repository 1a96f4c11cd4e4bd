/**
 * Kills a process that ships recordings to a bucket three hundred times at random moments, and finally looks for every run: `npm run test:full --
 * ship-kills`, or with `--kills 20 --seed a`. Fails if a run is lost, is in the bucket twice, or differs from its recording.
 */
import { parseArgs } from 'node:util'
import { useSource } from '../bench/use-source.ts'
import { createRandom } from '../test/support/random.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '300' }, seed: { type: 'string', default: String(Date.now()) } },
})
console.log(`seed ${values.seed}`)
useSource()
const { killShippers } = await import('../test/fleet/world/kill-shippers.ts')
const { kills, runs, faults } = await killShippers(Number(values.kills), createRandom(values.seed), (kill) => {
  if (kill % 50 === 0) console.log(`${kill} kills`)
})
for (const fault of faults) console.error(fault)
console.log(`${kills} kills, ${runs} runs, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
