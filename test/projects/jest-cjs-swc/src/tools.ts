import { tool } from 'goldenrun'
import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'

interface OrderId {
  readonly order_id: string
}

// A database, as far as this shop has one.
const orders = new Map([
  ['ord_1', { id: 'ord_1', item: 'Desk lamp', status: 'shipped' }],
  ['ord_2', { id: 'ord_2', item: 'Office chair', status: 'packed' }],
])

const getOrder = tool('get_order', { effect: 'read' }, async ({ order_id }: OrderId) => orders.get(order_id) ?? null)

const cancelOrder = tool('cancel_order', { effect: 'write' }, async ({ order_id }: OrderId) => {
  const order = orders.get(order_id)
  if (order?.status !== 'packed') throw new Error(`${order_id} cannot be cancelled.`)
  order.status = 'cancelled'
  return order
})

export function runTool(name: string, args: OrderId): Promise<object | null> {
  if (name === 'get_order') return getOrder(args)
  if (name === 'cancel_order') return cancelOrder(args)
  throw new Error(`There is no tool ${name}.`)
}

const parameters = { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] }

export const definitions: ChatCompletionFunctionTool[] = [
  { type: 'function', function: { name: 'get_order', description: 'Looks an order up.', parameters } },
  { type: 'function', function: { name: 'cancel_order', description: 'Cancels an order that has not shipped.', parameters } },
]
