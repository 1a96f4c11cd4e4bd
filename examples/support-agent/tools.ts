import { tool } from 'goldenrun'
import { callPayments, type Order, type Refund } from './payments-client.ts'

/** What most tools are given. */
export interface OrderArguments {
  readonly order_id: string
}

/** What `refund_order` is given; the amount is in cents. */
export interface RefundArguments extends OrderArguments {
  readonly amount: number
}

/** Looks up an order. */
export const getOrder: (args: OrderArguments) => Promise<Order> = tool('get_order', { effect: 'read' }, ({ order_id }: OrderArguments) =>
  callPayments<Order>('GET', `/v1/orders/${encodeURIComponent(order_id)}`),
)

/** Cancels an order that was not shipped. */
export const cancelOrder: (args: OrderArguments) => Promise<Order> = tool(
  'cancel_order',
  { effect: 'write', idempotencyKey: (args: OrderArguments) => args.order_id },
  ({ order_id }: OrderArguments) => callPayments<Order>('POST', `/v1/orders/${encodeURIComponent(order_id)}/cancel`),
)

/** Sends money back to the card that paid for an order. */
export const refundOrder: (args: RefundArguments) => Promise<Refund> = tool(
  'refund_order',
  { effect: 'write', idempotencyKey: (args: RefundArguments) => args.order_id },
  (args: RefundArguments) => callPayments<Refund>('POST', '/v1/refunds', args),
)

/** The first refund of an order, or null where there is none. */
export const findRefund: (args: OrderArguments) => Promise<Refund | null> = tool(
  'find_refund',
  { effect: 'read' },
  async ({ order_id }: OrderArguments) => {
    const { data } = await callPayments<{ data: Refund[] }>('GET', `/v1/refunds?order_id=${encodeURIComponent(order_id)}`)
    return data[0] ?? null
  },
)
