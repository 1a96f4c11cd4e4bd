import { Client } from '@microsoft/microsoft-graph-client'

export const keys = ['GRAPH_TOKEN']

export const answer = ({ method }) => ({
  body: method === 'GET' ? { '@odata.count': 1, value: [{ id: 'e1', '@odata.etag': 'W/"v1"' }] } : { id: 'e1' },
})

/** Reads the events of a calendar in a time zone, and moves one if nobody else has. */
export async function agent({ base, change }) {
  // The client sends tokens of its providers over HTTPS only.
  const headers = { authorization: `Bearer ${process.env.GRAPH_TOKEN}` }
  const client = Client.init({ baseUrl: base, fetchOptions: { headers }, authProvider: (done) => done(null, '') })
  const zone = change === 'another preference' ? 'Pacific Standard Time' : 'UTC'
  const asked = client.api('/me/events').header('Prefer', `outlook.timezone="${zone}"`)
  const { value } = await (change === 'no consistency' ? asked : asked.header('ConsistencyLevel', 'eventual')).get()
  const event = client.api(`/me/events/${value[0].id}`)
  if (change !== 'no precondition') event.header('If-Match', value[0]['@odata.etag'])
  return (await event.patch({ subject: 'ord_1' })).id
}
