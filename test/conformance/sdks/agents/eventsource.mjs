import { EventSource } from 'eventsource'

export const keys = ['SHOP_TOKEN']

export function answer({ method }) {
  if (method === 'POST') return { status: 201, headers: { 'x-receipt': 'rc-1' }, body: { ok: true } }
  const pieces = [
    'id: 1\nevent: order\ndata: {"id":"ord_1"}\n\n',
    ': wait\n\nid: 2\nevent: order\ndata: {"id":"ord_2",\n',
    'data: "late":true}\n\n',
    'event: end\ndata: bye\n\n',
  ]
  return { type: 'text/event-stream', pieces }
}

/** Reads events until the last, closes the stream, and writes the id of the last event. */
export async function agent({ base, change }) {
  const authorization = `Bearer ${process.env.SHOP_TOKEN}`
  const withToken = (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization } })
  const source = new EventSource(`${base}/events?of=${change === 'another topic' ? 'invoices' : 'orders'}`, { fetch: withToken })
  const events = await new Promise((resolve, reject) => {
    const all = []
    source.addEventListener('order', ({ data, lastEventId }) => all.push([lastEventId, JSON.parse(data)]))
    source.addEventListener('end', () => resolve(all))
    source.addEventListener('error', reject)
  })
  source.close()
  const last = change === 'another event' ? events[0][0] : events.at(-1)[0]
  const seen = await fetch(`${base}/seen`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ last }),
  })
  return [events, seen.headers.get('x-receipt')]
}
