/** Production: records the agent. Arguments: the provider's address, and the directory to record into. */
import { createRecorder } from '../../../../src/record/recorder.ts'
import { slowAgent } from './slow-agent.ts'

const [baseURL = '', store = ''] = process.argv.slice(2)
const recorder = createRecorder({ store })
await recorder.run({ agent: 'slow', input: { baseURL } }, slowAgent)
await recorder.close()
