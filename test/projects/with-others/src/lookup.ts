import { checkpoint } from 'goldenrun'
import { greeting } from './greeting.ts'

const orders = process.env['ORDERS_URL'] ?? 'http://127.0.0.1:4020'

interface Order {
  readonly id: string
  readonly item: string
}

/** Looks an order up, and tries again where the shop is busy. */
export async function lookupAgent({ id }: { readonly id: string }): Promise<{ reply: string; request: string; seconds: number }> {
  const request = crypto.randomUUID()
  const start = Date.now()
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${orders}/orders/${id}?attempt=${attempt}`, { headers: { 'idempotency-key': request } })
    if (response.ok) {
      const order = (await response.json()) as Order
      checkpoint('order-found', { order, attempt })
      return { reply: `${greeting(order.item)} is on its way.`, request, seconds: Math.round((Date.now() - start) / 100) / 10 }
    }
    await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 100))
  }
}
