import { tool } from 'ai'
import { wrapTools } from 'goldenrun'
import { z } from 'zod'

// A database, as far as this shop has one.
const orders = new Map([
  ['ord_1', { id: 'ord_1', item: 'Desk lamp', status: 'shipped' }],
  ['ord_2', { id: 'ord_2', item: 'Office chair', status: 'packed' }],
])

const inputSchema = z.object({ order_id: z.string() })

export const tools = wrapTools(
  {
    get_order: tool({
      description: 'Looks an order up.',
      inputSchema,
      execute: async ({ order_id }) => orders.get(order_id) ?? null,
    }),
    cancel_order: tool({
      description: 'Cancels an order that has not shipped.',
      inputSchema,
      execute: async ({ order_id }) => {
        const order = orders.get(order_id)
        if (order?.status !== 'packed') throw new Error(`${order_id} cannot be cancelled.`)
        order.status = 'cancelled'
        return order
      },
    }),
  },
  { effects: { get_order: 'read', cancel_order: 'write' } },
)
