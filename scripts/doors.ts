/**
 * Takes every way out of a replay, on several versions of Node and in every setting that replays goldens, before a world that counts what reaches
 * it: `npm run doors`. Fails where a run is green and the world was reached, unless `docs/doors.md` lists the way as open. Writes the table of
 * that page. With `--sample 20` it takes so many ways by chance, prints the seed (`GOLDENRUN_SEED` gives it back), and writes nothing.
 * `--node 24`, `--way <part of a name>` and `--setting <name>` ask for a part.
 */
import { parseArgs } from 'node:util'
import { type Outcome, startMatrix } from '../test/guard/matrix/run-matrix.ts'
import { settings } from '../test/guard/matrix/settings.ts'
import { listTrials } from '../test/guard/matrix/trial.ts'
import { locateNode } from './locate-node.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    node: { type: 'string', multiple: true, default: ['22', '24', '26'] },
    way: { type: 'string', default: '' },
    skip: { type: "string", default: "-" },
    setting: { type: 'string', default: '' },
  },
})
const trials = listTrials().filter(({ way }) => way.name.includes(values.way))
const outcomes: Outcome[] = []
await using matrix = await startMatrix(trials)
for (const major of values.node) {
  const node = process.versions.node.startsWith(`${major}.`) ? { path: process.execPath, version: process.version } : locateNode(Number(major))
  const recorded = await matrix.record(node)
  console.log(`${node.version}: ${trials.length} trials, by hand ${recorded.byHand.length}`)
  for (const { way } of recorded.byHand) console.log(`  by hand: ${way.name}`)
  for (const { way } of recorded.idle) console.log(`  idle: ${way.name}`)
  for (const setting of settings.filter(({ name }) => name.includes(values.setting) && !name.includes(values.skip))) {
    const { outcomes: found, failures } = await matrix.replay(node, setting)
    outcomes.push(...found)
    const of = (isGreen: boolean | undefined): number => found.filter((one) => one.isGreen === isGreen).length
    console.log(`  ${setting.name}: green ${of(true)}, red ${of(false)}, not run ${of(undefined)}`)
    for (const { trial, touched, isGreen } of found.filter((one) => one.touched.length > 0))
      console.log(`    ${isGreen === undefined ? 'NOT RUN' : isGreen ? (trial.way.open === undefined ? 'GREEN' : 'open') : 'red'} ${trial.way.name}, ${trial.waits ? 'waits' : 'left'}: ${touched.slice(0, 3).join('; ').slice(0, 120)}`)
    for (const failure of failures) console.error(failure)
  }
}
