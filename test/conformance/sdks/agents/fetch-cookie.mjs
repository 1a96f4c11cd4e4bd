import makeFetchCookie from 'fetch-cookie'

export const keys = ['SHOP_PASSWORD']

export function answer({ url, headers }) {
  const cookies = ['sid=4f8b2c7d9e11aa; Path=/; HttpOnly', 'csrf=9d2c1b7e5f; Path=/']
  if (url === '/login') return { status: 303, headers: { location: '/desk', 'set-cookie': cookies }, body: '' }
  if (!headers.cookie?.includes('sid=4f8b2c7d9e11aa')) return { status: 401, statusText: 'No Session', body: {} }
  if (url === '/desk') return { headers: { 'set-cookie': 'seen=yes; Path=/' }, body: { desk: 7 } }
  return { status: 202, body: { cancelled: headers['x-csrf-token'] === '9d2c1b7e5f' && headers.cookie.includes('seen=yes') } }
}

/** Logs in, follows the redirect with the session's cookie, and sends a cookie's value as a header. */
export async function agent({ base, change }) {
  const jar = new makeFetchCookie.toughCookie.CookieJar()
  const fetchWithCookies = makeFetchCookie(fetch, jar)
  const login = await fetchWithCookies(`${base}/login`, {
    method: 'POST',
    body: new URLSearchParams({ password: process.env.SHOP_PASSWORD }),
  })
  const { desk } = await login.json()
  const csrf = (await jar.getCookies(base)).find(({ key }) => key === 'csrf').value
  const headers = { 'x-csrf-token': change === 'another token' ? '0000000000' : csrf }
  const request = change === 'no session' ? fetch : fetchWithCookies
  const cancelled = await request(`${base}/orders/1/cancel`, { method: 'POST', headers })
  return [desk, cancelled.status, await cancelled.json()]
}
