/**
 * Kills a process that records eight runs at a time, three hundred times at random moments, and compares what it left with the changes that the world
 * saw: `npm run kills`, or `npm run kills -- --kills 20 --seed a`. With `--load`, load generators keep twelve processes and threads of the machine ready
 * to run meanwhile. Fails if a recording is damaged or lacks something acknowledged, if a write settled without a trace, or if more
 * than one in a hundred of the writes in progress has no trace.
 */
import { parseArgs } from 'node:util'
import { holdLoad } from '../test/record/kills/load.ts'
import { type Killed, killRecording, type SeenWrite } from '../test/record/kills/kill-recording.ts'
import { createRandom } from '../test/support/random.ts'

const LOAD = 12
/** So many that each gets little of the processor. */
const AT_ONCE = 4

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Date.now()) },
    load: { type: 'boolean', default: false },
  },
})
const random = createRandom(values.seed)
const all: Killed[] = []
console.log(`seed ${values.seed}`)
let begun = 0
const killOnAndOn = async (): Promise<void> => {
  while (begun < Number(values.kills)) {
    begun += 1
    const kill = begun
    const killed = await killRecording(random.whole(0, 1_000))
    all.push(killed)
    for (const fault of killed.faults) console.error(`kill ${kill}: ${fault}`)
    if (process.stdout.isTTY || all.length % 50 === 0) console.log(`${all.length} kills`)
  }
}
{
  await using load = values.load ? holdLoad(LOAD) : undefined
  await Promise.all(Array.from({ length: values.load ? AT_ONCE : 1 }, killOnAndOn))
  if (load !== undefined) console.log(`load ${load.average.toFixed(1)} on average`)
}

const sum = (count: (killed: Killed) => number): number => all.reduce((total, killed) => total + count(killed), 0)
const writes = all.flatMap((killed) => killed.writes)
const countOf = (isCounted: (write: SeenWrite) => boolean): number => writes.filter(isCounted).length
const settled = countOf(({ isSettled }) => isSettled)
const untraced = countOf(({ isSettled, hasTrace }) => isSettled && !hasTrace)
const inFlight = writes.length - settled
const unseen = countOf(({ isSettled, hasTrace }) => !isSettled && !hasTrace)
const faults = sum(({ faults: found }) => found.length)
console.log(
  `${all.length} kills, ${sum(({ recordings }) => recordings)} recordings: ${sum(({ acknowledged }) => acknowledged)} acknowledged, ` +
    `${sum(({ announced }) => announced)} steps in the journal alone, ${sum(({ torn }) => torn)} torn tails, ${faults} faults`,
)
console.log(`writes settled without a trace: ${untraced} of ${settled}`)
console.log(`writes in flight unseen: ${unseen} of ${inFlight}`)
process.exitCode = faults > 0 || untraced > 0 || unseen > inFlight / 100 ? 1 : 0
