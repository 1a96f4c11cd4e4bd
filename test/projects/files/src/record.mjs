// Records the agents of a module (the first argument) over a folder that is filled anew for each, and makes each run a golden.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace } from 'goldenrun/replay'
import { fillFolder } from './folder.mjs'

for (const folder of ['runs', 'golden-traces']) rmSync(folder, { recursive: true, force: true })
const recorder = createRecorder({ store: 'runs', files: { record: [`${process.env.FILES_FOLDER}/**`] } })
await recorder.start()
const agents = await import(pathToFileURL(path.resolve(process.argv[2])))
const recorded = new Map()
for (const [name, agent] of Object.entries(agents).filter(([key]) => key.startsWith('on'))) {
  fillFolder('12.5')
  await recorder.run({ agent: name, input: 'ord_1' }, async (id) => {
    recorded.set(name, currentRun().id)
    return await agent(id)
  })
}
await recorder.close()
for (const [name, id] of recorded) {
  const trace = await readTrace(id, { store: 'runs' })
  await promote(trace, { name })
  console.log(`recorded: ${name}, ${trace.steps.length} steps`)
}
