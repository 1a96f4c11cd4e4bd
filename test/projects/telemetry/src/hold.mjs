// Records each agent against the world, ends the world, and replays five times unchanged and once changed.
import { rmSync } from 'node:fs'
import { createRecorder } from 'goldenrun'
import { listTraces, readTrace, replay } from 'goldenrun/replay'
import { listen } from './world.mjs'
import { calls, reads, telemetry } from './agents.mjs'

async function record(agent) {
  rmSync('runs', { recursive: true, force: true })
  const world = await listen()
  const recorder = createRecorder({ store: 'runs' })
  await recorder.start()
  const output = await recorder.run({ agent: 'agent', input: { url: world.url } }, ({ url }) => agent(url))
  await recorder.close()
  await world.close()
  const [{ id }] = await listTraces({ store: 'runs' })
  return {
    output: JSON.stringify(output),
    trace: await readTrace(id, { store: 'runs' }),
    asked: world.asked.length,
    muted: recorder.stats().muted,
  }
}

/** What a replay says of an agent. */
async function verdictOn({ trace, output }, agent) {
  const { divergences, outcome } = await replay(trace, ({ url }) => agent(url))
  if (divergences.length > 0) return 'red'
  return outcome.status === 'returned' && JSON.stringify(outcome.output) === output ? 'green' : 'another output'
}

async function verdictsOn(recorded, agents) {
  const verdicts = []
  for (const agent of agents) verdicts.push(await verdictOn(recorded, agent))
  return verdicts.join(', ')
}

function describe({ trace }) {
  return trace.steps
    .map(({ name, input }) => (input?.url === undefined ? name : `${input.method} ${new URL(input.url).pathname}`))
    .join(', ')
}

for (const [name, send] of Object.entries(telemetry)) {
  const recorded = await record((url) => send(url, 2))
  const verdicts = await verdictsOn(
    recorded,
    [2, 2, 0, 1, 5].map((times) => (url) => send(url, times)),
  )
  const isAll = recorded.asked === recorded.muted ? 'all' : `${recorded.muted} of ${recorded.asked}`
  console.log(`${name} hands over: ${isAll} muted; ${describe(recorded)}; ${verdicts}`)
}
for (const [name, read] of Object.entries(reads)) {
  const recorded = await record((url) => read(url, 'user_1'))
  const same = (url) => read(url, 'user_1')
  const verdicts = await verdictsOn(recorded, [same, same, same, same, async (url) => (await same(url), await same(url))])
  console.log(`${name} reads: ${describe(recorded)}; ${verdicts}; another: ${await verdictOn(recorded, (url) => read(url, 'user_2'))}`)
}
for (const [name, call] of Object.entries(calls)) {
  const recorded = await record((url) => call(url, 'user_1'))
  const same = (url) => call(url, 'user_1')
  const verdicts = await verdictsOn(recorded, [same, same, same, same, same])
  console.log(`${name} is called: ${describe(recorded)}; ${verdicts}; another: ${await verdictOn(recorded, (url) => call(url, 'user_2'))}`)
}
rmSync('runs', { recursive: true, force: true })
