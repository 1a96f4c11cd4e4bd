const PAYMENTS_URL = process.env['PAYMENTS_URL'] ?? 'http://127.0.0.1:4020'

const TIMEOUT_MS = 5000

/** An order as the payments API gives it; amounts are in cents. */
export interface Order {
  readonly id: string
  readonly status: 'packed' | 'shipped' | 'delivered' | 'cancelled'
  readonly item: string
  readonly amount: number
  readonly currency: string
}

/** A refund as the payments API gives it; amounts are in cents. */
export interface Refund {
  readonly id: string
  readonly order_id: string
  readonly amount: number
  readonly currency: string
  readonly status: 'succeeded'
}

/** The payments API refused a call. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * Calls the payments API. Throws a `PaymentsError` where the API refuses, what `fetch` throws where the network fails, and a `TimeoutError`
 * after five seconds.
 */
export async function callPayments<Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${PAYMENTS_URL}${path}`, {
    method,
    headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) {
    const { error } = (await response.json()) as { error: { code: string; message: string } }
    throw new PaymentsError(response.status, error.code, error.message)
  }
  return (await response.json()) as Answer
}
