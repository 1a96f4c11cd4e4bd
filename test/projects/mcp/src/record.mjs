// Records the agent of a module (the first argument), and makes the run a golden.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createRecorder, currentRun } from 'goldenrun'
import { promote, readTrace } from 'goldenrun/replay'

for (const folder of ['runs', 'golden-traces']) rmSync(folder, { recursive: true, force: true })
const recorder = createRecorder({ store: 'runs' })
await recorder.start()
const { shop, close } = await import(pathToFileURL(path.resolve(process.argv[2])))
let recorded
await recorder.run({ agent: 'shop', input: 'ord_1' }, async (id) => {
  recorded = currentRun().id
  return await shop(id)
})
await recorder.close()
await close()
const { steps } = await readTrace(recorded, { store: 'runs' })
await promote(await readTrace(recorded, { store: 'runs' }), { name: 'refund' })
console.log(`recorded: ${steps.map(({ name }) => name).join(', ')}`)
