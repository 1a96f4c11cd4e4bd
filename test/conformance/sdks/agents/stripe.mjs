import Stripe from 'stripe'

export const keys = ['STRIPE_SECRET_KEY']

export function answer({ url }) {
  if (url.startsWith('/v1/charges/')) return { body: { id: 'ch_1', object: 'charge', amount: 500 } }
  return { body: { id: 're_1', object: 'refund', status: 'succeeded' } }
}

/** Looks at a charge of a connected account, and refunds it. */
export async function agent({ base, change }) {
  const { hostname, port } = new URL(base)
  const stripe = new Stripe(process.env.STRIPE_SECRET_KEY, { host: hostname, port, protocol: 'http' })
  const charge = await stripe.charges.retrieve('ch_1', {}, { stripeAccount: 'acct_shop' })
  const options = {
    stripeAccount: change === 'another account' ? 'acct_other' : 'acct_shop',
    idempotencyKey: change === 'another idempotency key' ? 'refund-ord_2' : 'refund-ord_1',
    ...(change === 'another version of the API by hand' && { apiVersion: '2020-08-27' }),
  }
  const refund = await stripe.refunds.create({ charge: charge.id, amount: charge.amount }, options)
  return [refund.id, refund.status]
}
