// Records each agent against the world, ends the world, and replays twenty times here and once in another process, and with another spelling of an order's id.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace, replay } from 'goldenrun/replay'
import { agents } from './agents.mjs'
import { startWorld } from './world.mjs'

const hidePorts = (text) => text?.replaceAll(/:\d+/g, ':<port>')
const [only, file] = process.argv.slice(2)
if (file !== undefined) {
  const run = await replay(file, (input) => agents[only](input, (id) => id))
  console.log(JSON.stringify([run.divergences, run.outcome]))
  process.exit()
}
for (const folder of ['runs', 'golden-traces']) rmSync(folder, { recursive: true, force: true })
const world = await startWorld()
const recorder = createRecorder({ store: 'runs' })
const recorded = new Map()
for (const [name, agent] of Object.entries(agents)) {
  let id
  const output = await recorder.run({ agent: name, input: world.input }, async (input) => {
    id = currentRun().id
    return await agent(input, (order) => order)
  })
  recorded.set(name, { id, output: JSON.stringify(output) })
}
await recorder.close()
await world.close()
world.seen.length = 0
for (const [name, { id, output }] of recorded) {
  const golden = await promote(await readTrace(id, { store: 'runs' }), { name })
  const replayed = (spell, options) => replay(golden.file, (input) => agents[name](input, spell), options)
  let held = 0
  let first
  for (let times = 0; times < 20; times += 1) {
    const run = await replayed((order) => order)
    first ??= run
    if (run.divergences.length === 0 && JSON.stringify(run.outcome.output) === output) held += 1
  }
  const other = JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), name, golden.file], { encoding: 'utf8' }))
  const isHeldThere = other[0].length === 0 && JSON.stringify(other[1].output) === output
  const { cause, name: step, site } = (await replayed((order) => order.toUpperCase(), { traceCallSites: true })).divergences[0] ?? {}
  console.log(`${name}: ${hidePorts(first.steps.map((each) => each.name).join(', '))}`)
  console.log(
    `  ${held} of 20 here, ${isHeldThere ? 1 : 0} of 1 in another process; another id: ${cause} of ${hidePorts(step)} in ${site?.file}:${site?.line}`,
  )
}
console.log(`asked of the world meanwhile: ${world.seen.length}`)
