// Records each agent against real servers, and replays it twenty times here and in another process, with the servers out of reach.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace, replay } from 'goldenrun/replay'
import { agents } from './agents.mjs'
import { countReached, shutGates, startServers, stopServers } from './servers.mjs'
import { setUp } from './set-up.mjs'

const TIMES = 20
// Mastra logs what a statement failed with.
console.error = () => undefined
const goldenOf = (name) => `golden-traces/${name.replaceAll(/\W+/g, '-')}.jsonl`

/** How many replays come to what was recorded. */
async function hold(name) {
  let held = 0
  const recorded = JSON.stringify((await readTrace(goldenOf(name))).end.output)
  for (let times = 0; times < TIMES; times += 1) {
    const { divergences, outcome } = await replay(goldenOf(name), agents[name])
    if (divergences.length === 0 && JSON.stringify(outcome.output) === recorded) held += 1
    else if (process.env.WHY === '1' && times === 0) console.log(name, JSON.stringify(divergences, null, 1).slice(0, 3000), outcome)
  }
  return held
}

if (process.argv[2] === 'again') {
  const held = {}
  for (const name of Object.keys(agents)) held[name] = await hold(name)
  process.stderr.write(JSON.stringify(held))
  process.reallyExit(0)
}

for (const folder of ['runs', 'golden-traces']) rmSync(folder, { recursive: true, force: true })
await startServers()
await setUp()
const recorder = createRecorder({ store: 'runs' })
const recorded = new Map()
for (const [name, agent] of Object.entries(agents)) {
  await recorder.run({ agent: name, input: 'ord_1' }, async (input) => {
    recorded.set(name, currentRun().id)
    return await agent(input)
  })
}
await recorder.close()
for (const name of Object.keys(agents))
  await promote(await readTrace(recorded.get(name), { store: 'runs' }), { name: path.basename(goldenOf(name), '.jsonl') })
shutGates()
rmSync('data', { recursive: true })
// better-sqlite3 asks whether the folder is there.
mkdirSync('data')

const child = spawn(process.execPath, ['--import', 'goldenrun/register', fileURLToPath(import.meta.url), 'again'], {
  stdio: ['ignore', 'ignore', 'pipe'],
})
let printed = ''
child.stderr.on('data', (piece) => (printed += piece))
await new Promise((resolve) => child.once('close', resolve))
const there = JSON.parse(printed.slice(printed.lastIndexOf('{"')))
for (const [name, agent] of Object.entries(agents)) {
  const { steps } = await readTrace(goldenOf(name))
  console.log(`${name}: ${listed(steps.map((step) => step.name))}`)
  console.log(`  ${await hold(name)} of ${TIMES} here, ${there[name]} of ${TIMES} in another process`)
  const { divergences } = await replay(goldenOf(name), (id) => agent(id.replace('1', '2')))
  const [{ cause, name: at } = {}] = divergences
  console.log(`  another order: ${cause} of ${at}`)
}
console.log(`files that were opened meanwhile: ${readdirSync('data').join(', ') || 'none'}`)
console.log(`connections to the servers meanwhile: ${countReached()}`)
await stopServers()
process.reallyExit(0)

/** Each once, with how often it comes. */
function listed(names) {
  const counts = Map.groupBy(names, (name) => name)
  return [...counts].map(([name, { length }]) => (length === 1 ? name : `${length} ${name}`)).join(', ')
}
