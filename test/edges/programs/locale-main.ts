/** Production in another country: records the agent into the directory that is its argument, and prints the run's id. */
import { createRecorder } from '../../../src/record/recorder.ts'
import { currentRun } from '../../../src/run/current-run.ts'
import { localeAgent } from './locale-agent.ts'

const recorder = createRecorder({ store: process.argv[2] ?? '.goldenrun/runs' })
await recorder.run({ agent: 'agent', input: undefined }, async () => {
  console.log(currentRun()?.id)
  return await localeAgent()
})
await recorder.close()
