/**
 * Kills a process that records eight runs at a time, three hundred times at random moments, and looks at what it left: `npm run kills`, or
 * `npm run kills -- --kills 20 --seed a`. Fails where a recording is damaged, or lacks what was acknowledged.
 */
import { parseArgs } from 'node:util'
import { type Killed, killRecording } from '../test/record/kills/kill-recording.ts'
import { createRandom } from '../test/support/random.ts'

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '300' }, seed: { type: 'string', default: String(Date.now()) } },
})
const random = createRandom(values.seed)
const all: Killed[] = []
console.log(`seed ${values.seed}`)
for (let kill = 1; kill <= Number(values.kills); kill += 1) {
  const killed = await killRecording(random.whole(0, 1_000))
  all.push(killed)
  for (const fault of killed.faults) console.error(`kill ${kill}: ${fault}`)
  if (process.stdout.isTTY || kill % 50 === 0) console.log(`${kill} kills`)
}
const sum = (count: (killed: Killed) => number): number => all.reduce((total, killed) => total + count(killed), 0)
const faults = sum(({ faults: found }) => found.length)
console.log(
  `${all.length} kills, ${sum(({ recordings }) => recordings)} recordings: ${sum(({ acknowledged }) => acknowledged)} acknowledged, ` +
    `${sum(({ inFlight }) => inFlight)} steps in flight, ${sum(({ torn }) => torn)} torn tails, ${faults} faults`,
)
process.exitCode = faults > 0 ? 1 : 0
