/**
 * Records a run, into the directory that is its first argument, whose thread writes nothing any more once it has begun: `node held-program.ts <store>
 * <world> <gate>`. It looks, pays, cancels by a request of no tool's, ships by a tool
 * that does not say what it does, and pays again, each at the world that is its second argument.
 */
import { createRecorder } from '../../../src/record/recorder.ts'
import { tool } from '../../../src/run/tool.ts'
import { holdThreadWrites } from '../../support/thread-writes.ts'

const [store = '', world = '', gate = ''] = process.argv.slice(2)

const post = async (path: string, body: string): Promise<string> => (await fetch(`${world}${path}`, { method: 'POST', body })).text()
const look = tool('look', { effect: 'read' }, async (order: string) => order)
const pay = tool('pay', { effect: 'write', idempotencyKey: ({ card }) => card }, ({ card }: { card: string }) => post('/payments', card))

const ship = tool('ship', {}, (order: string) => post('/shipments', order))

const recorder = createRecorder({ store })
// Nothing else keeps the process alive while its thread is asked.
setInterval(() => undefined, 60_000)
await recorder.start()
await holdThreadWrites(gate)
await recorder.run({ agent: 'shop', input: { customer: 'Ada' }, tags: { user: 'ada@lovelace.org' } }, async () => {
  await look('ord_1')
  await pay({ card: '4111 1111 1111 1111' })
  await post('/orders/ord_1/cancel?token=secret', 'body of the request')
  await ship('ord_1')
  await pay({ card: '4111 1111 1111 1111' })
})
