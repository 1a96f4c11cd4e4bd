/**
 * Tries every way out of a replay, on several versions of Node and in every setting that replays goldens, against a world that counts the contacts that
 * reach it: `npm run doors`. Fails if a run is green although it reached the world, unless `docs/doors.md` lists the way as open. Writes the table of
 * that page. `--sample 20` tries that many random ways, prints the seed (set `GOLDENRUN_SEED` to repeat it), and writes nothing. `--node 24`,
 * `--way <pattern>` and `--setting <part of a name>` select a part and write nothing either.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { allWays } from '../test/guard/all-ways.ts'
import { type Outcome, startMatrix } from '../test/guard/matrix/run-matrix.ts'
import { settings } from '../test/guard/matrix/settings.ts'
import { writeTable } from '../test/guard/matrix/table.ts'
import { listTrials } from '../test/guard/matrix/trial.ts'
import { createRandom } from '../test/support/random.ts'
import { locateNode } from './locate-node.ts'

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    node: { type: 'string', multiple: true, default: ['22', '24', '26'] },
    way: { type: 'string', default: '' },
    setting: { type: 'string', default: '' },
  },
})
const page = new URL('../docs/doors.md', import.meta.url)
const text = readFileSync(page, 'utf8')
const ways = pickWays()
const trials = listTrials().filter(({ way }) => ways.has(way))
const outcomes: Outcome[] = []
const failures: string[] = []
{
  await using matrix = await startMatrix(trials)
  for (const major of values.node) {
    const isOwn = process.versions.node.startsWith(`${major}.`)
    const node = isOwn ? { path: process.execPath, version: process.version } : locateNode(Number(major))
    const { byHand, idle } = await matrix.record(node)
    console.log(`${node.version}: ${ways.size} ways. Recorded by hand: ${list(byHand.map(({ way }) => way.name))}.`)
    // A way that reaches nothing even without refusal would always pass.
    failures.push(...idle.map(({ way }) => `${node.version}, recorded: ${way.name} reaches nothing, so it proves nothing.`))
    for (const setting of settings.filter(({ name }) => name.includes(values.setting))) {
      const replayed = await matrix.replay(node, setting)
      outcomes.push(...replayed.outcomes)
      failures.push(...replayed.failures, ...replayed.outcomes.flatMap(tellWrong))
      const [green, red, unknown] = [true, false, undefined].map((is) => replayed.outcomes.filter(({ isGreen }) => isGreen === is).length)
      console.log(`  ${setting.name}: ${green} green, ${red} red, ${unknown} not run, ${replayed.outcomes.filter(isOut).length} out`)
    }
  }
}
const words = text.replaceAll(/\s+/g, ' ')
for (const { name, open, openWhenLeft } of ways)
  for (const reason of [open, openWhenLeft])
    if (reason !== undefined && !words.includes(reason))
      failures.push(`${name} is listed as open, but docs/doors.md does not mention it: ${reason}`)
for (const line of failures) console.error(line)
if (failures.length > 0) process.exitCode = 1
const isPart = values.sample !== undefined || values.node.length < 3 || values.way !== '' || values.setting !== ''
if (!isPart)
  writeFileSync(
    page,
    text.replace(/(<!-- ways -->\n).*(<!-- \/ways -->)/s, (_all, start: string, end: string) => start + writeTable(outcomes) + end),
  )
console.log(
  `${outcomes.length} trials of ${ways.size} ways: ${failures.length === 0 ? 'nothing got out that is not listed as open' : `${failures.length} failed`}.`,
)

function pickWays(): Set<(typeof allWays)[string][number]> {
  const all = Object.values(allWays)
    .flat()
    .filter(({ name }) => new RegExp(values.way).test(name))
  if (values.sample === undefined) return new Set(all)
  const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
  console.log(`GOLDENRUN_SEED=${seed}`)
  return new Set(createRandom(seed).shuffle(all).slice(0, Number(values.sample)))
}

function isOut({ isGreen, touched }: Outcome): boolean {
  return isGreen === true && touched.length > 0
}

function tellWrong(outcome: Outcome): string[] {
  const { trial, setting, node, isGreen, touched } = outcome
  const place = `${node}, ${setting}: ${trial.way.name}${trial.waits ? '' : ', not waited for'}`
  if (isGreen === undefined) return [`${place} did not finish.`]
  return isOut(outcome) && reasonOf(outcome) === undefined
    ? [`${place} is green, but the world was reached: ${list(touched).slice(0, 200)}`]
    : []
}

/** Returns why the way may get out. */
function reasonOf({ trial: { way, waits }, setting }: Outcome): string | undefined {
  return way.open ?? (!waits && setting.endsWith('test') ? way.openWhenLeft : undefined)
}

function list(items: readonly string[]): string {
  return items.length === 0 ? 'none' : [...new Set(items)].join('; ')
}
