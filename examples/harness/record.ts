// npm exec -- node examples/harness/record.ts [folder]
// Records the goldens of the harness anew: in its own golden-traces, or in that of a folder.
import path from 'node:path'
import { createRecorder } from 'goldenrun'
import { promote } from 'goldenrun/replay'
import { startPayments } from '../world/payments.ts'
import { createTemporaryStore } from '../world/temporary-store.ts'

const folder = path.resolve(process.argv[2] ?? import.meta.dirname)
await using payments = await startPayments({ port: 4200 })
const { refundAgent } = (await import(path.join(import.meta.dirname, 'agent.js'))) as {
  refundAgent: (input: { order_id: string }) => Promise<{ reply: string }>
}

await using store = await createTemporaryStore()
const recorder = createRecorder({ store: store.folder })
process.chdir(folder)
for (const [name, order_id] of [
  ['refund-approved', 'ord_1001'],
  ['refund-refused', 'ord_1002'],
] as const) {
  const { reply } = await recorder.run({ agent: 'refunds', input: { order_id } }, refundAgent)
  await recorder.flush()
  await promote(await store.newest(), { name, agent: refundAgent, force: true })
  console.log(`${name}: ${reply}`)
}
await recorder.close()
console.log(`The shop refunded ${payments.ledger.refunds.map(({ order_id }) => order_id).join(', ')}.`)
