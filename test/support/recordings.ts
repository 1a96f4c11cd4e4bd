import { createRecorder } from '../../src/record/recorder.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import type { TraceStore } from '../../src/stores/trace-store.ts'

/** Records one run and gives its id. */
export async function record<Input>(
  store: string | TraceStore,
  options: {
    readonly agent?: string
    readonly input: Input
    readonly tags?: Readonly<Record<string, string>>
    readonly agentVersion?: string
  },
  agent: (input: Input) => unknown,
): Promise<string> {
  const recorder = createRecorder({ store, thread: false })
  let id = ''
  try {
    await recorder.run({ agent: 'support', ...options }, (input: Input) => {
      id = currentRun()?.id ?? ''
      return agent(input)
    })
  } catch {
    // The recording tells how the run ended.
  } finally {
    await recorder.close()
  }
  return id
}

/** The ticket of both runs below; it holds a key that must not be kept. */
export const ticket = 'Where is ord_1? My key is sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2.'

/** A run that looks an order up and cancels it. */
export function recordCancel(store: string): Promise<string> {
  return record(store, { input: { ticket }, agentVersion: '1.4.0', tags: { user: '42' } }, async () => {
    const order = await getOrder({ id: 'ord_1' })
    checkpoint('order-found', { order })
    await cancelOrder({ id: order.id })
    return { reply: 'Your order is cancelled.' }
  })
}

/** A run that refunds an order twice, at step 2 and 3. */
export function recordRefundTwice(store: string): Promise<string> {
  return record(store, { input: { ticket } }, async () => {
    await getOrder({ id: 'ord_1' })
    await refundOrder({ id: 'ord_1', amount: 4200 }).catch(() => refundOrder({ id: 'ord_1', amount: 4200 }))
    crypto.getRandomValues(new Uint8Array(4))
    return { reply: 'Your money is on its way.' }
  })
}

let refunds = 0

const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => ({ id, status: 'packed' }))
const cancelOrder = tool('cancel_order', { effect: 'write' }, async ({ id }: { id: string }) => ({ id, status: 'cancelled' }))
const refundOrder = tool(
  'refund_order',
  { effect: 'write', idempotencyKey: ({ id }) => id },
  async (args: { id: string; amount: number }) => {
    refunds += 1
    if (refunds % 2 === 1) throw Object.assign(new Error('the payment API did not answer'), { code: 'ETIMEDOUT' })
    return { id: args.id, refunded: args.amount }
  },
)
