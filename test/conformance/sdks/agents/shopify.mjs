// oxlint-disable-next-line import/no-unassigned-import -- It tells the SDK that it runs in Node.
import '@shopify/shopify-api/adapters/node'
import { shopifyApi, Session } from '@shopify/shopify-api'

export const keys = ['SHOPIFY_TOKEN']

let tries = 0

export function answer({ method, url }) {
  if (method === 'POST') return { status: 201, body: { draft_order: { id: 8 } } }
  if (tries++ === 0) return { status: 429, headers: { 'retry-after': '0.1' }, body: { errors: 'Exceeded 2 calls per second' } }
  const link = '<https://shop.myshopify.com/admin/api/2026-01/orders.json?limit=1&page_info=bmV4dA>; rel="next"'
  if (url.includes('page_info')) return { body: { orders: [{ id: 2 }] } }
  return { headers: { link, 'x-shopify-shop-api-call-limit': '1/40' }, body: { orders: [{ id: 1 }] } }
}

/** Is refused once with `retry-after`, reads two pages by the header `link`, and writes a draft order. */
export async function agent({ base, change }) {
  const { host: domain } = new URL(base)
  const shopify = shopifyApi({
    apiSecretKey: 'not used',
    adminApiAccessToken: process.env.SHOPIFY_TOKEN,
    isCustomStoreApp: true,
    isEmbeddedApp: false,
    hostName: domain,
    hostScheme: 'http',
    apiVersion: '2026-01',
    logger: { level: -1 },
  })
  const session = new Session({ id: 'one', shop: domain, state: '', isOnline: false, accessToken: process.env.SHOPIFY_TOKEN })
  const admin = new shopify.clients.Rest({ session })
  const first = await admin.get({ path: 'orders', query: { limit: 1 }, tries: 2 })
  const next = change === 'no next page' ? { path: 'orders', query: { limit: 1 } } : first.pageInfo.nextPage
  const second = await admin.get(next)
  const order = change === 'another order' ? first.body.orders[0].id : second.body.orders[0].id
  const { body } = await admin.post({ path: 'draft_orders', data: { draft_order: { note: `again ${order}` } } })
  return [first.headers['X-Shopify-Shop-Api-Call-Limit'] ?? first.headers['x-shopify-shop-api-call-limit'], body.draft_order.id]
}
