import phin from 'phin'

export const keys = ['SHOP_TOKEN']

export function answer({ method }) {
  if (method === 'POST') return { status: 201, headers: { location: '/mails/4' }, body: { ok: true } }
  return { headers: { 'x-order': 'ord_1' }, body: { name: 'Ada', email: 'ada@mail.example', tail: 'end' } }
}

/** Reads a customer with an e-mail address, and writes to the address. */
export async function agent({ base, change }) {
  const headers = { authorization: `Bearer ${process.env.SHOP_TOKEN}` }
  const customer = await phin({ url: `${base}/customers/${change === 'another customer' ? 2 : 1}`, headers, parse: 'json' })
  const data = { to: change === 'another address' ? 'eve@mail.example' : customer.body.email, order: customer.headers['x-order'] }
  const sent = await phin({ url: `${base}/mails`, method: 'POST', headers, data, parse: 'json' })
  return [customer.body.tail, Number(customer.headers['content-length']) > 40, sent.headers.location]
}
