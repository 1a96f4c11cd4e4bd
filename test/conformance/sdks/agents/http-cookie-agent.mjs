import { CookieAgent } from 'http-cookie-agent/undici'
import { CookieJar } from 'tough-cookie'
import { fetch, request } from 'undici'

export const keys = ['SHOP_PASSWORD']

export function answer({ url, headers }) {
  if (url === '/session')
    return { headers: { 'set-cookie': ['session=s-5e1f09c2ab77; Path=/; Max-Age=600', 'region=eu; Path=/'] }, body: { ok: true } }
  const session = /session=([^;]*)/.exec(headers.cookie ?? '')?.[1]
  if (url === '/orders/1' && session === 's-5e1f09c2ab77')
    return { headers: { 'set-cookie': 'session=s-77ab2c90f1e5; Path=/' }, body: { id: 'ord_1' } }
  return session === 's-77ab2c90f1e5' ? { body: { id: 'ord_2' } } : { status: 401, statusText: 'No Session', body: {} }
}

/** Logs in with `request`, and reads with `fetch`: one session, which the server replaces. */
export async function agent({ base, change }) {
  const jar = new CookieJar()
  const dispatcher = new CookieAgent({ cookies: { jar } })
  const body = JSON.stringify({ password: process.env.SHOP_PASSWORD })
  const login = await request(`${base}/session`, { method: 'POST', body, dispatcher })
  await login.body.dump()
  const options = change === 'no session' ? {} : { dispatcher }
  const order = await (await fetch(`${base}/orders/1`, options)).json()
  if (change === 'the old session') await jar.setCookie('session=s-5e1f09c2ab77; Path=/', base)
  const after = await fetch(`${base}/orders/2`, { dispatcher })
  const names = (await jar.getCookies(base)).map(({ key }) => key)
  return [order.id, after.status, names.toSorted()]
}
