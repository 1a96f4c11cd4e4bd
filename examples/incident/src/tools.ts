import { tool } from 'goldenrun'

/** The arguments of a refund; the amount is in cents. */
export interface RefundArguments {
  readonly order_id: string
  readonly amount: number
}

const url = `http://127.0.0.1:${process.env['SHOP_PORT'] ?? '4100'}`

/** Calls the shop's API, or the model. */
export async function callShop(path: string, body?: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  return await response.json()
}

export const refundOrder: (args: RefundArguments) => Promise<unknown> = tool('refund_order', { effect: 'write' }, (args: RefundArguments) =>
  callShop('/refunds', args),
)

/** The refund of an order, or null if there is none. */
export const findRefund: (args: RefundArguments) => Promise<unknown> = tool(
  'find_refund',
  { effect: 'read' },
  async ({ order_id }: RefundArguments) => {
    const { refunds } = (await callShop(`/refunds?order_id=${order_id}`)) as { refunds: object[] }
    return refunds[0] ?? null
  },
)

export const searchHelp: (args: { query: string }) => Promise<unknown> = tool(
  'search_help',
  { effect: 'read' },
  ({ query }: { query: string }) => callShop(`/search?query=${encodeURIComponent(query)}`),
)

const text = { type: 'string' }

/** The tools that the model is offered. */
export const TOOLS: readonly object[] = [
  offer('refund_order', 'Refund an order in full; the amount is in cents.', { order_id: text, amount: { type: 'integer' } }),
  offer('search_help', 'Search the help pages of the shop.', { query: text }),
]

function offer(name: string, description: string, properties: object): object {
  return {
    type: 'function',
    function: { name, description, parameters: { type: 'object', properties, required: Object.keys(properties) } },
  }
}
