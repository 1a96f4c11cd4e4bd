// Records eight runs at once of each agent against real servers, and replays them, the first twenty times here and in another process, with the servers
// out of reach.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace, replay } from 'goldenrun/replay'
import { countReached, shutGates, startServers, stopServers } from './servers.mjs'

const TIMES = 20
// Weaviate's client warns of each call that is refused.
console.warn = () => undefined
const isAgain = process.argv[2] === 'again'
if (!isAgain) await startServers()
const { close, ...agents } = await import('./channel-agents.mjs')
const ids = Array.from({ length: 8 }, (_, index) => `ord_${index + 1}`)
const goldenOf = (name, id) => `golden-traces/${name}-${id}.jsonl`

async function holds(name, id) {
  const { divergences, outcome } = await replay(goldenOf(name, id), agents[name])
  const isSame = JSON.stringify(outcome.output) === JSON.stringify((await readTrace(goldenOf(name, id))).end.output)
  if (process.env.WHY === '1' && !(divergences.length === 0 && isSame))
    console.log(name, JSON.stringify(divergences, null, 1).slice(0, 3000), outcome)
  return divergences.length === 0 && isSame
}

/** How many of twenty replays come to what was recorded. */
async function hold(name) {
  let held = 0
  for (let times = 0; times < TIMES; times += 1) if (await holds(name, ids[0])) held += 1
  return held
}

if (isAgain) {
  const held = {}
  for (const name of Object.keys(agents)) held[name] = await hold(name)
  process.stderr.write(JSON.stringify(held))
  process.reallyExit(0)
}

for (const folder of ['runs', 'golden-traces']) rmSync(folder, { recursive: true, force: true })
const recorder = createRecorder({ store: 'runs' })
const recorded = []
for (const [name, agent] of Object.entries(agents)) {
  const record = (id) =>
    recorder.run({ agent: name, input: id }, async (input) => {
      recorded.push({ name, id, run: currentRun().id })
      return await agent(input)
    })
  await Promise.all(ids.map(record))
}
await recorder.close()
for (const { name, id, run } of recorded) await promote(await readTrace(run, { store: 'runs' }), { name: `${name}-${id}` })
shutGates()

const child = spawn(process.execPath, ['--import', 'goldenrun/register', fileURLToPath(import.meta.url), 'again'], {
  stdio: ['ignore', 'inherit', 'pipe'],
})
let printed = ''
child.stderr.on('data', (piece) => (printed += piece))
await new Promise((resolve) => child.once('close', resolve))
const there = JSON.parse(printed.slice(printed.lastIndexOf('{"')))
for (const [name, agent] of Object.entries(agents)) {
  const { steps } = await readTrace(goldenOf(name, ids[0]))
  console.log(`${name}: ${listed(steps.map((step) => step.name))}`)
  console.log(`  ${await hold(name)} of ${TIMES} here, ${there[name]} of ${TIMES} in another process`)
  let others = 0
  for (const id of ids) if (await holds(name, id)) others += 1
  console.log(`  ${others} of ${ids.length} runs at once`)
  const { divergences } = await replay(goldenOf(name, ids[0]), (id) => agent(id.replace('1', '9')))
  const [{ cause, name: at } = {}] = divergences
  console.log(`  another order: ${cause} of ${withoutPort(at ?? '')}`)
}
console.log(`connections to the servers meanwhile: ${countReached()}`)
await close()
await stopServers()
process.reallyExit(0)

/** Each once, with how often it comes. */
function listed(names) {
  const counts = Map.groupBy(names.map(withoutPort), (name) => name)
  return [...counts].map(([name, { length }]) => (length === 1 ? name : `${length} ${name}`)).join(', ')
}

function withoutPort(name) {
  return name.replace(/(?:127\.0\.0\.1|localhost)(?::\d+)?/, '<host>')
}
