// Records the agents of a module (the first argument), each alone, and makes each run a golden.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace } from 'goldenrun/replay'

for (const folder of ['runs', 'golden-traces']) rmSync(folder, { recursive: true, force: true })
const recorder = createRecorder({ store: 'runs' })
await recorder.start()
const { close, ...agents } = await import(pathToFileURL(path.resolve(process.argv[2])))
const recorded = new Map()
for (const [name, agent] of Object.entries(agents).filter(([key]) => key.startsWith('on')))
  await recorder.run({ agent: name, input: 'ord_1' }, async (id) => {
    recorded.set(name, currentRun().id)
    return await agent(id)
  })
await recorder.close()
await close()
for (const [name, id] of recorded) {
  const { steps } = await readTrace(id, { store: 'runs' })
  await promote(await readTrace(id, { store: 'runs' }), { name })
  console.log(`recorded: ${name}, ${steps.length} steps`)
}
// Sessions of clients that cannot be closed.
process.reallyExit(0)
