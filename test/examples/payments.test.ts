import { expect, it } from 'vitest'
import { type Payments, startPayments } from '../../examples/world/payments.ts'

const BODY = { order_id: 'ord_1001', amount: 4900 }

async function call(payments: Payments, method: string, path: string, body?: unknown, headers = {}): Promise<[number, unknown]> {
  const response = await fetch(`${payments.url}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  return [response.status, await response.json()]
}

it('looks orders up', async () => {
  await using payments = await startPayments()
  expect(await call(payments, 'GET', '/v1/orders/ord_1001')).toEqual([
    200,
    { id: 'ord_1001', status: 'shipped', item: 'Desk lamp', amount: 4900, currency: 'usd' },
  ])
  expect(await call(payments, 'GET', '/v1/orders/ord_9')).toEqual([
    404,
    { error: { code: 'order_not_found', message: 'No such order: ord_9.' } },
  ])
})

it('cancels an order that is packed, and no other', async () => {
  await using payments = await startPayments()
  expect(await call(payments, 'POST', '/v1/orders/ord_1002/cancel')).toMatchObject([200, { id: 'ord_1002', status: 'cancelled' }])
  expect(await call(payments, 'GET', '/v1/orders/ord_1002')).toMatchObject([200, { status: 'cancelled' }])
  expect(await call(payments, 'POST', '/v1/orders/ord_1001/cancel')).toEqual([
    409,
    { error: { code: 'order_not_cancellable', message: 'ord_1001 is shipped, only a packed order can be cancelled.' } },
  ])
  expect(payments.ledger.cancellations).toEqual(['ord_1002'])
})

it('books a refund each time it is asked for one', async () => {
  await using payments = await startPayments()
  const refund = { order_id: 'ord_1001', amount: 4900, currency: 'usd', status: 'succeeded' }
  expect(await call(payments, 'POST', '/v1/refunds', BODY)).toEqual([201, { id: 're_1', ...refund }])
  expect(payments.ledger.summary('ord_1001')).toBe('1 refund booked for ord_1001')
  expect(await call(payments, 'POST', '/v1/refunds', BODY)).toEqual([201, { id: 're_2', ...refund }])
  expect(payments.ledger.summary('ord_1001')).toBe('2 refunds booked for ord_1001')
  expect(payments.ledger.summary('ord_1002')).toBe('0 refunds booked for ord_1002')
  expect(await call(payments, 'GET', '/v1/refunds?order_id=ord_1001')).toMatchObject([200, { data: [{ id: 're_1' }, { id: 're_2' }] }])
  expect(await call(payments, 'GET', '/v1/refunds?order_id=ord_1002')).toEqual([200, { data: [] }])
})

it('books one refund under one idempotency key', async () => {
  await using payments = await startPayments()
  const headers = { 'Idempotency-Key': 'key-1' }
  expect(await call(payments, 'POST', '/v1/refunds', BODY, headers)).toMatchObject([201, { id: 're_1' }])
  expect(await call(payments, 'POST', '/v1/refunds', BODY, headers)).toMatchObject([201, { id: 're_1' }])
  expect(await call(payments, 'POST', '/v1/refunds', { ...BODY, amount: 100 }, headers)).toEqual([
    409,
    { error: { code: 'idempotency_key_reused', message: 'The Idempotency-Key key-1 was used with another body.' } },
  ])
  expect(payments.ledger.refunds).toHaveLength(1)
})

it('refuses refunds that make no sense', async () => {
  await using payments = await startPayments()
  expect(await call(payments, 'POST', '/v1/refunds', { ...BODY, amount: 4901 })).toMatchObject([
    422,
    { error: { code: 'amount_too_large' } },
  ])
  expect(await call(payments, 'POST', '/v1/refunds', { ...BODY, amount: 0 })).toMatchObject([422, { error: { code: 'amount_invalid' } }])
  expect(await call(payments, 'POST', '/v1/refunds', { ...BODY, order_id: 'ord_9' })).toMatchObject([
    404,
    { error: { code: 'order_not_found' } },
  ])
  expect(await call(payments, 'POST', '/v1/refunds', [])).toMatchObject([400, { error: { code: 'body_invalid' } }])
  expect(await call(payments, 'DELETE', '/v1/refunds')).toMatchObject([404, { error: { code: 'no_such_path' } }])
  expect(payments.ledger.refunds).toEqual([])
})

it('books a refund and loses the answer, once', async () => {
  await using payments = await startPayments({ faults: { refund: 'times-out-after-acting' } })
  await expect(call(payments, 'POST', '/v1/refunds', BODY)).rejects.toThrow('fetch failed')
  expect(payments.ledger.summary('ord_1001')).toBe('1 refund booked for ord_1001')
  expect(await call(payments, 'POST', '/v1/refunds', BODY)).toMatchObject([201, { id: 're_2' }])
})

it('loses as many answers as it is told to', async () => {
  await using payments = await startPayments({ faults: { refund: { fault: 'times-out-after-acting', times: 2 } } })
  await expect(call(payments, 'POST', '/v1/refunds', BODY)).rejects.toThrow('fetch failed')
  await expect(call(payments, 'POST', '/v1/refunds', BODY)).rejects.toThrow('fetch failed')
  expect(await call(payments, 'POST', '/v1/refunds', BODY)).toMatchObject([201, { id: 're_3' }])
})

it('listens on the port it is given, and says where that is taken', async () => {
  await using payments = await startPayments()
  await expect(startPayments({ port: payments.port })).rejects.toThrow(
    `listen EADDRINUSE: address already in use 127.0.0.1:${payments.port}`,
  )
})
