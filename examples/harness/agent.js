import { checkpoint, external, tool } from 'goldenrun'

const url = process.env['SHOP_URL'] ?? 'http://127.0.0.1:4200'

const call = async (path, body) => {
  const headers = { 'content-type': 'application/json' }
  return await (await fetch(`${url}${path}`, body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

/** Here, a person approves what is less than 50 dollars. */
const askHuman = external('approval', async ({ args }) => args.amount < 5000)
const getOrder = tool('get_order', { effect: 'read' }, ({ order_id }) => call(`/v1/orders/${order_id}`))
const refundOrder = tool('refund_order', { effect: 'write' }, (args) => call('/v1/refunds', args))

/** Refunds an order, if a person approves. */
export async function refundAgent({ order_id }) {
  const { amount } = await getOrder({ order_id })
  const args = { order_id, amount }
  const isApproved = await askHuman({ tool: 'refund_order', args })
  checkpoint('asked', { isApproved })
  if (!isApproved) return { reply: `${order_id} is with a colleague.` }
  await refundOrder(args)
  return { reply: `${order_id} is refunded.` }
}
