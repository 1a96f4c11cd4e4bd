/**
 * Tests every HTTP client with every behaviour of HTTP, and every way to read a clock, chance or an id in every way to run a program, on
 * several versions of Node. Writes the results to `docs/conformance.md`: `npm run conformance`. `--check` writes nothing, and tests only
 * the core on versions other than the running one. `--sample 40` tests at most that many clients, drawn by `GOLDENRUN_SEED`. `--only reads`
 * tests and writes only clocks, chance and ids. The versions come from the npm package `node`. Fails if a cell is neither green nor explained.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { doors } from '../test/conformance/doors.ts'
import { explanations } from '../test/conformance/explanations.ts'
import { type TrialResult, unexplained, writeClientsSection } from '../test/conformance/page.ts'
import { modes } from '../test/conformance/reads/modes.ts'
import { type ReadsResult, unexplainedReads, writeReadsSection } from '../test/conformance/reads/reads-page.ts'
import { runReadsTrial } from '../test/conformance/reads/reads-trial.ts'
import { replaceSection } from '../test/conformance/section.ts'
import { runTrial, type Time } from '../test/conformance/trial.ts'
import { createRandom } from '../test/support/random.ts'
import { type LocatedNode, locateNode } from './locate-node.ts'

/** A version of Node to test. */
interface Tried extends LocatedNode {
  /** Whether everything is tested on it, or only the core. */
  readonly extent: 'core' | 'all'
}

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, sample: { type: 'string' }, only: { type: 'string' } },
})
const isReadsOnly = values.only === 'reads'
if (values.only !== undefined && !isReadsOnly) throw new Error(`--only takes "reads", not "${values.only}".`)
const isSample = values.sample !== undefined
const isCheck = values.check || isSample
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
if (isSample) console.log(`A sample of ${values.sample}: GOLDENRUN_SEED=${seed}`)
const nodes = [22, 24, 26].map(toTried)
const times: readonly Time[] = ['early', 'late']

const results: TrialResult[] = []
const reads: ReadsResult[] = []
const failures: string[] = []
const ofReads = nodes.flatMap((node) =>
  modes.filter(({ core }) => node.extent === 'all' || core === true).map((mode) => () => tryReads(node, mode)),
)
const ofDoors = nodes.flatMap((node) =>
  Object.entries(doors)
    .filter(([, { core }]) => node.extent === 'all' || core === true)
    .flatMap(([door]) => times.map((time) => () => tryDoor(node, door, time))),
)
const ofClients = isReadsOnly ? [] : ofDoors
const jobs = [...ofReads, ...(isSample ? createRandom(seed).shuffle(ofClients).slice(0, Number(values.sample)) : ofClients)]
const count = jobs.length
let done = 0
await Promise.all(Array.from({ length: availableParallelism() }, work))

if (!isCheck) {
  const file = new URL('../docs/conformance.md', import.meta.url)
  let page = replaceSection(readFileSync(file, 'utf8'), 'reads', writeReadsSection(reads))
  if (!isReadsOnly) page = replaceSection(page, 'http', writeClientsSection(results, explanations))
  writeFileSync(file, page)
}
const red = [...failures, ...(isReadsOnly ? [] : unexplained(results, explanations)), ...unexplainedReads(reads)]
for (const line of red) console.error(line)
console.log(
  `${isCheck ? 'Conformance' : 'docs/conformance.md'}: ${red.length === 0 ? 'every cell is green or explained' : `${red.length} are red`}.`,
)
if (red.length > 0) process.exitCode = 1

/** Takes one job after the other until none are left. */
async function work(): Promise<void> {
  for (let next = jobs.shift(); next !== undefined; next = jobs.shift()) {
    try {
      const line = await next()
      done += 1
      console.log(`[${done}/${count}] ${line}`)
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
}

async function tryDoor(node: Tried, door: string, time: Time): Promise<string> {
  const findings = await runTrial({ door, time, extent: node.extent }, node.path)
  results.push({ door, time, node: node.version, findings })
  return `${findings.filter(({ wrong }) => wrong.length === 0).length}/${findings.length}  ${node.version} ${door}, ${time}`
}

async function tryReads(node: Tried, mode: (typeof modes)[number]): Promise<string> {
  const found = await runReadsTrial(mode, node.path)
  reads.push({ mode: mode.name, node: node.version, found })
  const held = Object.values(found).flatMap((probes) => Object.values(probes))
  return `${held.filter(Boolean).length}/${held.length}  ${node.version} clocks, chance and ids, ${mode.name}`
}

function toTried(major: number): Tried {
  const isOwn = process.versions.node.startsWith(`${major}.`)
  if (isOwn) return { path: process.execPath, version: process.version, extent: 'all' }
  return { ...locateNode(major), extent: isCheck ? 'core' : 'all' }
}
