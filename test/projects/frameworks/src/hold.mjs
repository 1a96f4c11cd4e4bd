// Records an agent of each framework against the world, ends the world, and replays each twenty times here, twenty times in a second process, and with
// edits of its source that a replay has to find, at a line of the agent's.
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace, replay } from 'goldenrun/replay'
import { mutants } from './mutants.mjs'
import { startWorld } from './world.mjs'

const names = [
  'ai-sdk-loop',
  'genkit',
  'langgraph-fan-out',
  'langgraph-invoke',
  'langgraph-stream',
  'llamaindex',
  'mastra',
  'mastra-libsql',
  'mastra-memory',
  'mcp-http',
  'openai-agents-handoff',
  'voltagent',
  'voltagent-stream',
]
const TIMES = 20

// What the frameworks print.
for (const level of ['debug', 'info', 'warn', 'error']) console[level] = () => undefined

const load = async (name) => (await import(`./agents/${name}.mjs`)).agent
const goldenOf = (name) => `golden-traces/${name}.jsonl`
const hidePorts = (text) => text?.replaceAll(/:\d+/g, ':<port>')

/** How many of twenty replays in this process come to what was recorded. */
async function hold(name) {
  const agent = await load(name)
  let held = 0
  for (let times = 0; times < TIMES; times += 1) {
    const { divergences, outcome } = await replay(goldenOf(name), agent)
    if (divergences.length === 0 && outcome.status === 'returned') held += 1
  }
  return held
}

if (process.argv[2] === 'again') {
  const held = {}
  for (const name of names) held[name] = await hold(name)
  console.log(JSON.stringify(held))
  process.exit()
}

for (const folder of ['runs', 'golden-traces', 'memory.db', 'memory.db-shm', 'memory.db-wal'])
  rmSync(folder, { recursive: true, force: true })
const world = await startWorld()
Object.assign(process.env, world.env)
// Mastra makes its tables once for many runs.
const recorder = createRecorder({ store: 'runs', ambient: ['storage.init'] })
const recorded = new Map()
for (const name of names) {
  const agent = await load(name)
  let id
  await recorder.run({ agent: name, input: { question: 'Please cancel my first order.', thread: 'thread_1' } }, async (input) => {
    id = currentRun().id
    return await agent(input)
  })
  recorded.set(name, id)
}
await recorder.close()
await world.close()
world.seen.length = 0
const remembered = countMessages()
for (const [name, id] of recorded) await promote(await readTrace(id, { store: 'runs' }), { name })

const again = promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), 'again'])
const here = new Map()
for (const name of names) here.set(name, await hold(name))
const there = JSON.parse((await again).stdout.trim().split('\n').at(-1))

for (const name of names) {
  const { steps } = await readTrace(goldenOf(name))
  const asked = steps.filter(({ boundary }) => boundary !== 'external')
  console.log(`${name}: ${asked.map((step) => hidePorts(step.name)).join(', ')}`)
  console.log(`  ${here.get(name)} of ${TIMES} here, ${there[name]} of ${TIMES} in another process`)
  for (const [title, edit] of Object.entries(mutants(name))) console.log(`  ${title}: ${await verdictOn(name, title, edit)}`)
}
console.log(`asked of the world meanwhile: ${world.seen.length}`)
console.log(`messages in the database: ${remembered} before, ${countMessages()} after`)
process.exit()

function countMessages() {
  const database = new DatabaseSync('memory.db')
  const { count } = database.prepare('SELECT count(*) AS count FROM mastra_messages').get()
  database.close()
  return count
}

/** What a replay says of an agent with an edited source. */
async function verdictOn(name, title, [from, to]) {
  const source = readFileSync(new URL(`./agents/${name}.mjs`, import.meta.url), 'utf8')
  if (!source.includes(from)) throw new Error(`${name} has no place that reads: ${from}`)
  const edited = source.replace(from, () => to)
  const mutant = `${name}-${title.replaceAll(' ', '-')}`
  writeFileSync(new URL(`./agents/${mutant}.mjs`, import.meta.url), edited)
  const { divergences } = await replay(goldenOf(name), await load(mutant), { traceCallSites: true })
  const [{ cause, name: step, site } = {}] = divergences
  if (cause === undefined) return 'green'
  const isOfAgent = site?.file === `src/agents/${mutant}.mjs`
  const place = isOfAgent ? `line ${site.line}, ${edited.split('\n')[site.line - 1].trim()}` : (site?.file ?? 'no line')
  return `${cause} of ${hidePorts(step)} at ${place}`
}
