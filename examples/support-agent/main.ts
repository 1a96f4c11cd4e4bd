import { createRecorder } from 'goldenrun'
import { CANCEL_UNSHIPPED, REFUND_LOST_ORDER } from './scripts.ts'
import { startSupportWorld } from './start-world.ts'

// node examples/support-agent/main.ts [openai|anthropic] [refund|cancel]
const [sdk = 'openai', wish = 'refund'] = process.argv.slice(2)
const { ticket } = wish === 'cancel' ? CANCEL_UNSHIPPED : REFUND_LOST_ORDER

await using world = await startSupportWorld({ faults: { refund: 'times-out-after-acting' } })
Object.assign(process.env, world.env)
// The agent builds its client when it is loaded: only now does it find the world.
const { supportAgent } = await (sdk === 'anthropic' ? import('./agent-anthropic.ts') : import('./agent-openai.ts'))

const recorder = createRecorder({ store: '.goldenrun/runs' })
const { reply } = await recorder.run({ agent: 'support', input: { ticket } }, supportAgent)
await recorder.close()

console.log(`customer  ${ticket}`)
console.log(`agent     ${reply}`)
console.log(`ledger    ${world.payments.ledger.summary('ord_1001')}`)
