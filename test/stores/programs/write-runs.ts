/** Records runs of an agent into a directory, and looks for runs meanwhile: `write-runs.ts <directory> <agent> <how many>`. */
import { createRecorder } from '../../../src/record/recorder.ts'
import { tool } from '../../../src/run/tool.ts'
import { createDirectoryStore } from '../../../src/stores/directory-store.ts'

const [directory = '', agent = '', count = ''] = process.argv.slice(2)
const look = tool('look', { effect: 'read' }, async (run: number) => run)
const store = createDirectoryStore(directory)
const recorder = createRecorder({ store })
const runs = Array.from({ length: Number(count) }, (_, run) =>
  recorder.run({ agent, input: run, tags: { run: String(run) } }, async () => {
    await new Promise((resolve) => setTimeout(resolve, run * 20))
    await look(run)
  }),
)
const other = createDirectoryStore(directory)
for (let times = 0; times < 10; times += 1) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { scanned } = await other.find({ agent, limit: 5 })
  if (scanned !== undefined) throw new Error(scanned)
}
await Promise.all(runs)
await recorder.close()
const { recorded } = recorder.stats()
if (recorded !== Number(count)) throw new Error(`${recorded} runs were recorded.`)
