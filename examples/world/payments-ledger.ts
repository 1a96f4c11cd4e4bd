/** An order of the shop. */
export interface Order {
  readonly id: string
  readonly status: 'packed' | 'shipped' | 'delivered' | 'cancelled'
  readonly item: string
  /** What was charged, in cents. */
  readonly amount: number
  readonly currency: string
}

/** Money that went back to a customer. */
export interface Refund {
  /** `re_1` for the first refund booked, and so on. */
  readonly id: string
  readonly order_id: string
  /** In cents. */
  readonly amount: number
  readonly currency: string
  readonly status: 'succeeded'
}

/**
 * What really happened to the money, whatever the caller was told: the record that an agent's own account can be held against.
 */
export interface Ledger {
  /** Every refund booked, in order. */
  readonly refunds: readonly Refund[]
  /** The ids of the orders cancelled, in order. */
  readonly cancellations: readonly string[]
  /** One line for a person: `2 refunds booked for ord_1001`. */
  summary(orderId: string): string
}

/** The ledger and the orders, as the payments API changes them. */
export interface Books {
  readonly ledger: Ledger
  findOrder(id: string): Order | undefined
  cancelOrder(order: Order): Order
  bookRefund(order: Order, amount: number): Refund
}

/** Opens books with nothing in them but `orders`. */
export function openBooks(orders: readonly Order[]): Books {
  const current = new Map(orders.map((order) => [order.id, order]))
  const refunds: Refund[] = []
  const cancellations: string[] = []
  return {
    ledger: {
      refunds,
      cancellations,
      summary(orderId) {
        const count = refunds.filter((refund) => refund.order_id === orderId).length
        return `${count} ${count === 1 ? 'refund' : 'refunds'} booked for ${orderId}`
      },
    },
    findOrder: (id) => current.get(id),
    cancelOrder(order) {
      const cancelled: Order = { ...order, status: 'cancelled' }
      current.set(order.id, cancelled)
      cancellations.push(order.id)
      return cancelled
    },
    bookRefund(order, amount) {
      const refund: Refund = { id: `re_${refunds.length + 1}`, order_id: order.id, amount, currency: order.currency, status: 'succeeded' }
      refunds.push(refund)
      return refund
    },
  }
}
