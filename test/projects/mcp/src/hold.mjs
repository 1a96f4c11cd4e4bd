// Records each agent against real processes, and replays it twenty times here and in another process: no process is started, and nobody is asked.
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace, replay } from 'goldenrun/replay'
import { agents } from './agents.mjs'
import { startClaudeWorld } from './claude-world.mjs'

const TIMES = 20
// Mastra logs what a tool call failed with.
console.error = () => undefined
process.env.SHOP_LOG = path.resolve('shop.log')
process.env.HOME = path.resolve('home')
process.env.ANTHROPIC_API_KEY = 'sk-ant-local'
process.env.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = '1'
process.env.ENABLE_TOOL_SEARCH = 'false'
const goldenOf = (name) => `golden-traces/${name.replaceAll(/\W+/g, '-')}.jsonl`

/** How many replays come to what was recorded. */
async function hold(name) {
  let held = 0
  const recorded = JSON.stringify((await readTrace(goldenOf(name))).end.output)
  for (let times = 0; times < TIMES; times += 1) {
    const { divergences, outcome } = await replay(goldenOf(name), agents[name])
    if (divergences.length === 0 && JSON.stringify(outcome.output) === recorded) held += 1
  }
  return held
}

if (process.argv[2] === 'again') {
  const held = {}
  for (const name of Object.keys(agents)) held[name] = await hold(name)
  process.stderr.write(JSON.stringify(held))
  process.reallyExit(0)
}

for (const folder of ['runs', 'golden-traces', 'home']) rmSync(folder, { recursive: true, force: true })
writeFileSync(process.env.SHOP_LOG, '')
const world = await startClaudeWorld()
process.env.ANTHROPIC_BASE_URL = world.url
const recorder = createRecorder({ store: 'runs' })
const recorded = new Map()
for (const [name, agent] of Object.entries(agents)) {
  await recorder.run({ agent: name, input: 'ord_1' }, async (input) => {
    recorded.set(name, currentRun().id)
    return await agent(input)
  })
}
await recorder.close()
await world.close()
const log = readFileSync(process.env.SHOP_LOG, 'utf8')
for (const name of Object.keys(agents))
  await promote(await readTrace(recorded.get(name), { store: 'runs' }), { name: path.basename(goldenOf(name), '.jsonl') })

const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'again'], { stdio: ['ignore', 'ignore', 'pipe'] })
let printed = ''
child.stderr.on('data', (piece) => (printed += piece))
await new Promise((resolve) => child.once('close', resolve))
const there = JSON.parse(printed.slice(printed.indexOf('{"')))
for (const [name, agent] of Object.entries(agents)) {
  const { steps } = await readTrace(goldenOf(name))
  console.log(`${name}: ${steps.map((step) => step.name).join(', ')}`)
  console.log(`  ${await hold(name)} of ${TIMES} here, ${there[name]} of ${TIMES} in another process`)
  const { divergences } = await replay(goldenOf(name), (id) => agent(id.replace('1', '2')))
  const [{ cause, name: at } = {}] = divergences
  console.log(`  another order: ${cause} of ${at}`)
}
console.log(`calls of the shop meanwhile: ${readFileSync(process.env.SHOP_LOG, 'utf8').length - log.length}`)
// Packages that ask for more time at the exit print that they do not get it.
process.reallyExit(0)
