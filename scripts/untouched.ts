/**
 * Makes 1,000 random HTTP requests, with nine clients and everything a server may do, without a recorder, in recorded runs and in replays: `npm run untouched`, or
 * `npm run untouched -- --count 5000 --seed a`. Fails if an agent sees any difference: head, body, trailers, error. Requests that differ
 * between runs even without a recorder prove nothing, and are only counted.
 */
import { parseArgs } from 'node:util'
import { differ } from '../test/record/untouched/differ.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: String(Date.now()) } },
})
console.log(`seed ${values.seed}`)
const { differences, replayedDifferently, flaky, read, encoded, failed, recorded } = await differ(Number(values.count), values.seed)
for (const difference of [...differences, ...replayedDifferently]) console.error(JSON.stringify(difference, undefined, 2))
console.log(
  `${values.count} behaviours: ${encoded} encoded, ${read} bodies read, ${failed} failed, ${flaky} flaky, ${recorded} runs recorded, ${differences.length} differences, ${replayedDifferently.length} in replays`,
)
process.exitCode = differences.length + replayedDifferently.length > 0 || recorded !== Number(values.count) ? 1 : 0
