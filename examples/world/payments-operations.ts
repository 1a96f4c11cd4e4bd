import type { JsonObject } from './json.ts'
import type { Books } from './payments-ledger.ts'

/** A status and the JSON that goes with it. */
export interface PaymentsAnswer {
  readonly status: number
  readonly body: unknown
}

/** What the payments API can be asked to do. */
export interface PaymentsOperations {
  look(orderId: string): PaymentsAnswer
  cancel(orderId: string): PaymentsAnswer
  /** Books a refund; under a `key` that was seen before it answers as before. */
  refund(key: string | undefined, body: JsonObject): PaymentsAnswer
  findRefunds(orderId: string | null): PaymentsAnswer
}

/** The operations on one set of books, with a memory of their own for idempotency keys. */
export function createOperations(books: Books): PaymentsOperations {
  const answersByKey = new Map<string, { readonly asked: string; readonly answer: PaymentsAnswer }>()

  function refund(body: JsonObject): PaymentsAnswer {
    const { order_id: orderId, amount } = body
    if (typeof amount !== 'number' || !Number.isInteger(amount) || amount <= 0) {
      return refusal(422, 'amount_invalid', `A refund's amount is a whole number of cents above 0, not ${JSON.stringify(amount)}.`)
    }
    const order = books.findOrder(String(orderId))
    if (order === undefined) return noSuchOrder(String(orderId))
    if (amount > order.amount)
      return refusal(422, 'amount_too_large', `${order.id} was charged ${order.amount}, ${amount} cannot be refunded.`)
    return { status: 201, body: books.bookRefund(order, amount) }
  }

  /** A key answers for one body only. */
  function refundOnce(key: string | undefined, body: JsonObject): PaymentsAnswer {
    if (key === undefined) return refund(body)
    const asked = JSON.stringify(body)
    const known = answersByKey.get(key)
    if (known !== undefined && known.asked !== asked) {
      return refusal(409, 'idempotency_key_reused', `The Idempotency-Key ${key} was used with another body.`)
    }
    const answer = known?.answer ?? refund(body)
    answersByKey.set(key, { asked, answer })
    return answer
  }

  function cancel(id: string): PaymentsAnswer {
    const order = books.findOrder(id)
    if (order === undefined) return noSuchOrder(id)
    if (order.status !== 'packed')
      return refusal(409, 'order_not_cancellable', `${id} is ${order.status}, only a packed order can be cancelled.`)
    return { status: 200, body: books.cancelOrder(order) }
  }

  function look(id: string): PaymentsAnswer {
    const order = books.findOrder(id)
    return order === undefined ? noSuchOrder(id) : { status: 200, body: order }
  }

  function findRefunds(orderId: string | null): PaymentsAnswer {
    return { status: 200, body: { data: books.ledger.refunds.filter((refunded) => refunded.order_id === orderId) } }
  }

  return { look, cancel, refund: refundOnce, findRefunds }
}

/** An error as the API words it. */
export function refusal(status: number, code: string, message: string): PaymentsAnswer {
  return { status, body: { error: { code, message } } }
}

function noSuchOrder(id: string): PaymentsAnswer {
  return refusal(404, 'order_not_found', `No such order: ${id}.`)
}
