/** Production: records the agent into the directory that is its argument. */
import { createRecorder } from '../../../../src/record/recorder.ts'
import { waitingAgent } from './waiting-agent.ts'

const recorder = createRecorder({ store: process.argv[2] ?? '.goldenrun/runs' })
const output = await recorder.run({ agent: 'waiting', input: { orders: ['ord_1', 'ord_20', 'ord_300000000', 'ord_4'] } }, waitingAgent)
await recorder.close()
console.log(JSON.stringify(output))
