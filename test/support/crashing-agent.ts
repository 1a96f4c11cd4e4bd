/** Records, into the directory that is its argument, a run whose process is killed while its second tool works. */
import { createRecorder } from '../../src/record/recorder.ts'
import { tool } from '../../src/run/tool.ts'

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => ({ id, status: 'packed' }))
const cancelOrder = tool('cancel_order', { effect: 'write' }, async (_order: { id: string }) => {
  process.kill(process.pid, 'SIGKILL')
})

const recorder = createRecorder({ store: process.argv[2] ?? '.goldenrun/runs' })
await recorder.run({ agent: 'support', input: { ticket: 'cancel ord_1' } }, async () => {
  const order = await getOrder({ id: 'ord_1' })
  await cancelOrder({ id: order.id })
})
