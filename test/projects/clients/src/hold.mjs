// Records each agent against the world, ends the world, and replays twenty times here and twenty times in another process, and with another spelling of an
// order's id, with one call more and with none.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace, replay } from 'goldenrun/replay'
import { agents, bareMail } from './agents.mjs'
import { startWorld } from './world.mjs'

const TIMES = 20
const same = (id) => id
const hidePorts = (text) => text?.replaceAll(/:\d+/g, ':<port>')
const goldenOf = (name) => `golden-traces/${name}.jsonl`

/** How many of twenty replays in this process come to what was recorded. */
async function hold(name) {
  let held = 0
  for (let times = 0; times < TIMES; times += 1) {
    const { divergences, outcome } = await replay(goldenOf(name), (input) => agents[name](input, same))
    if (divergences.length === 0 && outcome.status === 'returned') held += 1
  }
  return held
}

if (process.argv[2] === 'again') {
  const held = {}
  for (const name of Object.keys(agents)) held[name] = await hold(name)
  console.log(JSON.stringify(held))
  process.exit()
}

for (const folder of ['runs', 'golden-traces']) rmSync(folder, { recursive: true, force: true })
const world = await startWorld()
const recorder = createRecorder({ store: 'runs' })
const recorded = new Map()
for (const [name, agent] of [...Object.entries(agents), ['nodemailer, not wrapped', bareMail]]) {
  await recorder.run({ agent: name, input: world.input }, async (input) => {
    recorded.set(name, currentRun().id)
    return await agent(input, same)
  })
}
await recorder.close()
await world.close()
world.seen.length = 0
for (const name of Object.keys(agents)) await promote(await readTrace(recorded.get(name), { store: 'runs' }), { name })

const there = JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'again'], { encoding: 'utf8' }))
for (const [name, agent] of Object.entries(agents)) {
  const { steps } = await readTrace(goldenOf(name))
  console.log(`${name}: ${steps.map((step) => hidePorts(step.name)).join(', ')}`)
  console.log(`  ${await hold(name)} of ${TIMES} here, ${there[name]} of ${TIMES} in another process`)
  console.log(`  another id: ${await verdictOn(goldenOf(name), (input) => agent(input, (id) => id.toUpperCase()))}`)
  console.log(`  twice: ${await verdictOn(goldenOf(name), async (input) => [await agent(input, same), await agent(input, same)])}`)
  console.log(`  not at all: ${await verdictOn(goldenOf(name), async () => 'nothing')}`)
}

// A socket of its own: noted, not promoted, and refused where it is promoted all the same.
const name = 'nodemailer, not wrapped'
console.log(`${name}:`)
const trace = await readTrace(recorded.get(name), { store: 'runs' })
const problem = await promote(trace, { name: 'bare' }).catch((error) => error.message)
console.log(`  ${hidePorts(problem).replace(trace.header.id, '<id>')}`)
const bare = await promote(trace, { name: 'bare', allowUnrecordedContacts: true })
console.log(`  ${await verdictOn(bare.file, (input) => bareMail(input, same))}`)
console.log(`asked of the world meanwhile: ${world.seen.length}`)

/** What a replay says of an agent. */
async function verdictOn(golden, agent) {
  const { divergences } = await replay(golden, agent, { traceCallSites: true })
  const [{ cause, name: step, site } = {}] = divergences
  if (cause === undefined) return 'green'
  return `${cause} of ${hidePorts(step)} in ${site === undefined ? 'no line' : `${site.file}:${site.line}`}`
}
