import type { IncomingMessage, ServerResponse } from 'node:http'
import { isJsonObject, parseJson } from './json.ts'
import { listen, type ListenOptions, type LocalServer } from './listen.ts'
import { type Ledger, openBooks, type Order } from './payments-ledger.ts'
import { createOperations, type PaymentsAnswer, refusal } from './payments-operations.ts'
import { readBody } from './read-body.ts'

/** A way for a call to fail: it is carried out, then the connection is destroyed without an answer. */
export type PaymentsFault = 'times-out-after-acting'

/** What goes wrong, by operation: once, or as often as said. */
export interface PaymentsFaults {
  readonly refund?: PaymentsFault | { readonly fault: PaymentsFault; readonly times: number }
}

/** What the payments API knows, where it listens, and what goes wrong. */
export interface PaymentsOptions extends ListenOptions {
  /** Default: `ORDERS`. */
  readonly orders?: readonly Order[]
  /** Default: none. */
  readonly faults?: PaymentsFaults
  /** Told of every request as it comes, with its method, path and parsed body; what it returns is called when the answer goes out. Default: nobody. */
  readonly onRequest?: (method: string, path: string, body: unknown) => () => void
}

/** A payments API on loopback. */
export interface Payments extends LocalServer {
  readonly ledger: Ledger
}

/** The orders of the shop: one lost in the mail, one not sent yet, one that arrived. */
export const ORDERS: readonly Order[] = [
  { id: 'ord_1001', status: 'shipped', item: 'Desk lamp', amount: 4900, currency: 'usd' },
  { id: 'ord_1002', status: 'packed', item: 'Office chair', amount: 18_900, currency: 'usd' },
  { id: 'ord_1003', status: 'delivered', item: 'Monitor arm', amount: 7900, currency: 'usd' },
]

/**
 * Starts a payments API: `GET /v1/orders/:id`, `POST /v1/orders/:id/cancel`, `POST /v1/refunds { order_id, amount }`,
 * `GET /v1/refunds?order_id=…`. A refund is booked whenever it is asked for, also twice for one order, unless the request carries an
 * `Idempotency-Key` that was seen before: it is then answered as before. Errors are `{ error: { code, message } }`.
 */
export async function startPayments({ orders = ORDERS, faults = {}, onRequest, port = 0 }: PaymentsOptions = {}): Promise<Payments> {
  const books = openBooks(orders)
  const operations = createOperations(books)
  let faultsLeft = typeof faults.refund === 'object' ? faults.refund.times : faults.refund === undefined ? 0 : 1

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '/', 'http://payments')
    const bytes = await readBody(incoming)
    onRequest?.(incoming.method ?? '', `${url.pathname}${url.search}`, parseJson(bytes))()
    const [, , collection, id, action] = url.pathname.split('/')
    const operation = [incoming.method, collection, ...(id === undefined ? [] : [':id']), ...(action === undefined ? [] : [action])].join(
      ' ',
    )
    switch (operation) {
      case 'GET orders :id':
        return send(response, operations.look(id ?? ''))
      case 'POST orders :id cancel':
        return send(response, operations.cancel(id ?? ''))
      case 'GET refunds':
        return send(response, operations.findRefunds(url.searchParams.get('order_id')))
      case 'POST refunds': {
        const body = parseJson(bytes)
        if (!isJsonObject(body)) return send(response, refusal(400, 'body_invalid', 'The body is no JSON object.'))
        const key = incoming.headers['idempotency-key']
        const refunded = operations.refund(typeof key === 'string' ? key : undefined, body)
        if (refunded.status === 201 && faultsLeft > 0) {
          faultsLeft -= 1
          response.destroy()
          return
        }
        return send(response, refunded)
      }
      default:
        return send(response, refusal(404, 'no_such_path', `Nothing is at ${incoming.method} ${url.pathname}.`))
    }
  }

  const server = await listen(answer, { port })
  return { ...server, ledger: books.ledger }
}

function send(response: ServerResponse, { status, body }: PaymentsAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
