// node src/answer-ticket.ts <user> <ticket>: production
import { createRecorder } from 'goldenrun'
import { supportAgent } from './agent.ts'

const [user = '', ticket = ''] = process.argv.slice(2)
const recorder = createRecorder({ store: '.goldenrun/runs' })
try {
  const { reply } = await recorder.run({ agent: 'support', input: { ticket }, tags: { user } }, supportAgent)
  console.log(reply)
} catch (error) {
  console.log(`The agent failed: ${String(error)}`)
}
await recorder.close()
