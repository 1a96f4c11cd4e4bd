import { tool } from 'goldenrun'

const look = tool('look', { effect: 'read' }, async (order) => {
  const response = await fetch(`${process.env.SHOP}/orders/${order}`, { cache: 'no-store' })
  return await response.json()
})

export async function agent({ order }) {
  return { found: await look(order) }
}
