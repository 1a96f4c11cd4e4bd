import nano from 'nano'

export const keys = ['COUCH_PASSWORD']

export function answer({ method, url, headers }) {
  const cookie = `AuthSession=YWRhOjY5MTQ4QkZGOg-5c7d; Version=1; Expires=${new Date(Date.now() + 600_000).toUTCString()}; Max-Age=600; Path=/; HttpOnly`
  if (url === '/_session') return { headers: { 'set-cookie': cookie }, body: { ok: true, name: 'ada', roles: [] } }
  if (!headers.cookie?.includes('AuthSession=YWRhOjY5')) return { status: 401, statusText: 'Unauthorized', body: { error: 'unauthorized' } }
  if (method === 'HEAD') return { headers: { etag: '"2-aa11"' }, body: '' }
  return { status: 201, headers: { etag: '"3-bb22"' }, body: { ok: true, id: 'ord_1', rev: '3-bb22' } }
}

/** Logs in, reads a document's revision from the `etag` of a HEAD, and writes the document. */
export async function agent({ base, change }) {
  const couch = nano(base)
  await couch.auth('ada', process.env.COUCH_PASSWORD)
  const db = (change === 'no session' ? nano(base) : couch).use('orders')
  const head = await db.head('ord_1')
  const revision = change === 'another revision' ? '1-0000' : JSON.parse(head.etag)
  const { rev } = await couch.use('orders').insert({ _id: 'ord_1', _rev: revision, status: 'packed' })
  return [head.etag, rev]
}
